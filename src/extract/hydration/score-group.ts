import type { Page } from '../page.ts'
import type { ItemKind } from '../types.ts'
import type { Candidate } from './candidate.ts'

/** Candidates of one kind at one path. */
export interface Group {
  kind: ItemKind
  path: string
  candidates: Candidate[]
}

const EVENT_PATH =
  /event|agenda|calend|kalender|concert|program|show|activit|performance|voorstelling/i
const ARTICLE_PATH = /article|post|news|nieuws|stor(?:y|ies)|blog|feed|entries/i
const ASIDE_PATH =
  /related|recommend|footer|header|menu|\bnav|sidebar|breadcrumb|popular|trending|mostread|promo|banner|cookie|config|translation|i18n|comment|author|user|categor|topics?\b|taxonom|playlist|tags\b|campaign|settings|\bads?\b|latest|readmore|widget/i

const MIN_MEAN = 0.45

/** How likely a group is what the page is about: its items' own scores, their number, and the words on its path. */
export function groupScore(group: Group, page: Page): number {
  const sample = group.candidates.slice(0, 50)
  const mean = sample.reduce((sum, candidate) => sum + candidate.score, 0) / sample.length
  const words = group.path.replace(/^[^:]*:/, '')
  const positive = (group.kind === 'calendar_event' ? EVENT_PATH : ARTICLE_PATH).test(words)
    ? 0.15
    : 0
  const negative =
    ASIDE_PATH.test(words) || /^attribute:(?:a|button|img|li)\[/.test(group.path) ? 0.35 : 0
  // Under an article, other articles are the ones to read next.
  const isMainThing = isMainGroup(group, page)
  const beside = group.kind === 'article' && !isMainThing && isArticlePage(page) ? 0.35 : 0
  if (mean < MIN_MEAN && !isMainThing) return 0
  const titles = new Set(group.candidates.map((candidate) => candidate.title)).size
  const many = negative + beside > 0 ? 0 : Math.min(0.5, Math.log2(titles) / 8)
  // The same title over and over is a setting or a schedule of one thing, not a list.
  const same = group.candidates.length > 3 && titles === 1 && group.kind === 'article' ? 0.3 : 0
  const vague =
    group.kind === 'calendar_event' && positive === 0 && !sample.some(isEventful) ? 0.5 : 0
  return mean + positive + many - negative - same - vague - beside + (isMainThing ? 0.6 : 0)
}

function isArticlePage(page: Page): boolean {
  return page.scan.metas.some((meta) => meta.key === 'og:type' && meta.content === 'article')
}

/** Campaigns, seasons and banners start and end as well; only a calendar event happens somewhere or says what it is. */
function isEventful({ keys, object }: Candidate): boolean {
  if ((keys.location ?? keys.city ?? keys.organizer ?? keys.online ?? keys.allDay) !== undefined)
    return true
  return (keys.type ?? []).some((key) => EVENT_PATH.test(String(object[key])))
}

/** A single object with the title of the page is the thing the page shows. */
export function isMainGroup(group: Group, page: Page): boolean {
  const [first, ...rest] = group.candidates
  if (first === undefined || rest.some((candidate) => candidate.title !== first.title)) return false
  return isMain(first, page)
}

/** Whether a candidate has the title of the page. */
export function isMain(candidate: Candidate, page: Page): boolean {
  const title = letters(candidate.title)
  if (title.length < 4) return false
  const { scan } = page
  const shown = [
    scan.title ?? '',
    scan.metas.find((meta) => meta.key === 'og:title')?.content ?? '',
  ]
  return shown.some((text) => letters(text).startsWith(title))
}

/** Best first; of the preferred kind before others when there is one. */
export function compareGroups(
  a: { group: Group; score: number },
  b: { group: Group; score: number },
  preferredKind: ItemKind | undefined,
): number {
  const preferred = Number(b.group.kind === preferredKind) - Number(a.group.kind === preferredKind)
  return preferred === 0 ? b.score - a.score : preferred
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

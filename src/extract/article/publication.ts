import { isTag, isText, type Element } from 'domhandler'
import type { Page } from '../page.ts'
import type { Segmented } from './blocks.ts'
import { firstOf, found, fromMeta, type Found } from './found.ts'
import { ldText, typesOf, type Declared, type LdNode } from './structured.ts'
import { allDates, firstDate } from './written-dates.ts'

export interface PublicationDates {
  published: Found | null
  modified: Found | null
}

interface Clues {
  page: Page
  declared: Declared
  cut: Segmented
  /** Index of the title's block, or -1. */
  titleBlock: number
  /** First and last block of the main text. */
  textStart: number
  textEnd: number
  monthFirst: boolean
  latest: string
}

/** When the page says it was published and last changed; the surest witness first. */
export function findPublication(
  page: Page,
  declared: Declared,
  cut: Segmented,
  titleBlock: number,
  keep: readonly boolean[],
): PublicationDates {
  const clues: Clues = {
    page,
    declared,
    cut,
    titleBlock,
    textStart: Math.max(0, keep.indexOf(true)),
    textEnd: keep.lastIndexOf(true),
    monthFirst: writesMonthFirst(page),
    latest: new Date(page.fetchedAt.getTime() + 2 * 86_400_000).toISOString().slice(0, 10),
  }
  const check = (value: string): string | null => normalized(value, clues)
  const urlDay = fromUrl(clues)
  const published = firstOf(
    () => fromLd(clues, 'datePublished', check),
    () => fromMeta(declared.metas, publishedKeys, 0.9, check),
    () => fromMarks(clues, /datePublished|dateCreated|pubdate/i, 0.85),
    () => urlDay,
    () => fromMarks(clues, null, 0.75),
    () => fromNamedElements(clues),
    () => fromTextNearTitle(clues),
    () => fromLd(clues, 'dateCreated', check),
    () => fromLd(clues, 'uploadDate', check),
    () => fromLabels(clues),
    () => fromMeta(declared.metas, ['description', 'og:description', 'og:title'], 0.45, check),
    () => fromScripts(clues, check),
    () => fromMeta(declared.metas, modifiedKeys, 0.4, check),
    () => fromLd(clues, 'dateModified', check),
    () => fromAnyText(clues),
    () => fromImages(clues),
  )
  const modified = firstOf(
    () => fromLd(clues, 'dateModified', check),
    () => fromMeta(declared.metas, modifiedKeys, 0.9, check),
    () => fromMarks(clues, /dateModified/i, 0.85),
  )
  return { published: localDay(published, urlDay), modified }
}

/** A moment in another zone can name the day before or after; the site's own URL knows the local day. */
function localDay(published: Found | null, urlDay: Found | null): Found | null {
  if (published === null || urlDay === null) return published
  const apart = Math.abs(Date.parse(published.value.slice(0, 10)) - Date.parse(urlDay.value))
  return apart > 0 && apart <= 86_400_000 ? urlDay : published
}

const publishedKeys =
  'article:published_time article:published og:published_time og:article:published_time datepublished article.published published_time published date_published publish_date publish-date publishdate publication_date pubdate pub_date date_pub dc.date.issued dcterms.issued dc.date.created dcterms.created dcterms.date dc.date dc.created created datecreated date originalpublicationdate parsely-pub-date sailthru.date citation_publication_date citation_date citation_online_date cxenseparse:recs:publishtime cxenseparse:publishtime bt:pubdate rnews:datepublished article_date_original dateposted release_date displaydate timestamp shareaholic:article_published_time video:release_date time doc_date'.split(
    ' ',
  )
const modifiedKeys =
  'article:modified_time og:updated_time og:article:modified_time datemodified article.updated modified_time dcterms.modified dc.date.modified last-modified lastmod lastmodified modified revised updated_time bt:moddate cxenseparse:recs:modifytime'.split(
    ' ',
  )

/** An ISO moment stays as written; other writings become a day. Impossible and future dates are refused. */
function normalized(raw: string, clues: Clues): string | null {
  const text = raw.trim().slice(0, 100)
  const iso =
    /^((?:19|20)\d\d-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?(Z|[+-]\d\d:?\d\d)?)?/.exec(
      text,
    )
  if (iso?.[1] !== undefined) {
    const moment = iso[2] === undefined ? iso[1] : `${iso[1]}T${iso[2]}${iso[3] ?? ''}`
    return plausible(iso[1], clues) ? moment : null
  }
  const stamp = /^(\d{10})(\d{3})?$/.exec(text)
  if (stamp?.[1] !== undefined) {
    const moment = new Date(Number(stamp[1]) * 1000).toISOString()
    return plausible(moment.slice(0, 10), clues) ? moment : null
  }
  const day = firstDate(text, clues.monthFirst)?.day
  return day !== undefined && plausible(day, clues) ? day : null
}

function plausible(day: string, clues: Clues): boolean {
  return day >= '1995-01-02' && day <= clues.latest && !Number.isNaN(Date.parse(day))
}

function fromLd(clues: Clues, key: string, check: (value: string) => string | null): Found | null {
  const { article, nodes } = clues.declared
  const others = nodes.filter((node) => node !== article && !sideNode(node))
  const pages = others.filter(isPageNode)
  const rest = others.filter((node) => !isPageNode(node))
  for (const node of [...(article === null ? [] : [article]), ...pages, ...rest]) {
    const raw = ldText(node[key])
    const value = raw === null ? null : check(raw)
    if (value !== null) {
      const path = `ld+json ${typesOf(node)[0] ?? ''}.${key}`
      return found(value, path, node === article ? 0.95 : 0.85)
    }
  }
  return null
}

function isPageNode(node: LdNode): boolean {
  return typesOf(node).some((type) => /Page$|Video|Podcast|Posting/.test(type))
}

/** Things on a page that have dates of their own. */
function sideNode(node: LdNode): boolean {
  return typesOf(node).some((type) =>
    /Comment|Review|Answer|ListItem|Offer|Event|ImageObject/.test(type),
  )
}

/** `time`, `[datetime]` and `[itemprop]` elements; of the unnamed ones, the first in or just above the text. */
function fromMarks(clues: Clues, itemprop: RegExp | null, confidence: number): Found | null {
  const from =
    Math.min(clues.titleBlock < 0 ? clues.textStart : clues.titleBlock, clues.textStart) - 6
  const to =
    clues.titleBlock < 0
      ? clues.textStart + 8
      : Math.max(clues.titleBlock + 12, clues.textStart + 3)
  let candidate: Found | null = null
  for (const { element, block } of clues.cut.marks) {
    const { attribs } = element
    const name = `${attribs['itemprop'] ?? ''} ${attribs['property'] ?? ''} ${'pubdate' in attribs ? 'pubdate' : ''}`
    const named = itemprop !== null && itemprop.test(name)
    if (itemprop !== null ? !named : !isMoment(element)) continue
    const value = elementDate(element, clues)
    if (value === null) continue
    if (named) return found(value, `[itemprop=${name.trim()}]`, confidence)
    const label = `${attribs['class'] ?? ''} ${parentClass(element)}`
    if (/dateModified/i.test(name) || /updat|modif|comment|aktualis/i.test(label)) continue
    if (block < from || block > to) continue
    if (/publi|posted|entry-date|created/i.test(label))
      return found(value, 'time.published', confidence)
    candidate ??= found(value, 'time', confidence - 0.05)
  }
  return candidate
}

function isMoment(element: Element): boolean {
  return (
    element.name === 'time' ||
    element.attribs['datetime'] !== undefined ||
    /\bdate-?time|timestamp\b/i.test(element.attribs['class'] ?? '')
  )
}

function parentClass(element: Element): string {
  const parent = element.parent
  return parent !== null && isTag(parent) ? (parent.attribs['class'] ?? '') : ''
}

function elementDate(element: Element, clues: Clues): string | null {
  const { attribs } = element
  for (const name of [
    'datetime',
    'content',
    'title',
    'data-datetime',
    'data-time',
    'data-timestamp',
  ]) {
    const raw = attribs[name]
    const value = raw === undefined ? null : normalized(raw, clues)
    if (value !== null) return value
  }
  return textDate(textOf(element, 120), clues)
}

function textDate(text: string, clues: Clues): string | null {
  const day = firstDate(text, clues.monthFirst)?.day
  return day !== undefined && plausible(day, clues) ? day : null
}

function fromUrl(clues: Clues): Found | null {
  const path = URL.canParse(clues.page.url) ? new URL(clues.page.url).pathname : ''
  const match =
    /(?:^|[/_-])((?:19|20)\d\d)[/_-](\d{1,2})[/_-](\d{1,2})(?![\d])/.exec(path) ??
    /(?:^|[/_-])(20\d\d)([01]\d)([0-3]\d)(?!\d)/.exec(path) ??
    /(?:^|[/_-])\d{1,2}[._-]\d{1,2}[._-](?:19|20)\d\d(?!\d)/.exec(path)
  if (match === null) return null
  const [whole, year, month, date] = match
  const written =
    year === undefined
      ? whole.replace(/^[/_-]/, '').replace(/[._]/g, '-')
      : `${year}-${month}-${date}`
  const day = firstDate(written, false)?.day
  return day !== undefined && plausible(day, clues) ? found(day, 'url', 0.85) : null
}

/** Elements that call themselves date or published, from just above the title to the end of the text. */
function fromNamedElements(clues: Clues): Found | null {
  const from =
    Math.min(clues.titleBlock < 0 ? clues.textStart : clues.titleBlock, clues.textStart) - 6
  let above: Found | null = null
  let later: Found | null = null
  for (const { element, block } of clues.cut.marks) {
    if (block < from || block > clues.textEnd + 6) continue
    const name = `${element.attribs['class'] ?? ''} ${element.attribs['id'] ?? ''}`
    if (
      !/date|datum|fecha|time|publi|posted|byline|meta/i.test(name) ||
      /updat|modif|comment/i.test(name)
    )
      continue
    const text = textOf(element, 300)
    if (text.length > 200) continue
    const value = elementDate(element, clues)
    if (value === null) continue
    const result = found(value, `.${name.trim().split(/\s+/)[0] ?? ''}`, 0.7)
    if (block < clues.titleBlock) above ??= result
    else if (block <= clues.textStart + 8) return result
    else later ??= result
  }
  return above ?? later
}

/** A short line with a date around the title, or the first line of the text. */
function fromTextNearTitle(clues: Clues): Found | null {
  const { blocks } = clues.cut
  const centre = clues.titleBlock < 0 ? clues.textStart : clues.titleBlock
  const offsets = [1, 2, 3, 4, 5, -1, -2, -3, 6, 7, 8, 9, 10, -4, -5]
  for (const offset of offsets) {
    const block = blocks[centre + offset]
    if (block === undefined || block.shape.words > 25 || block.shape.digits < 4) continue
    const value = textDate(block.text, clues)
    if (value !== null) return found(value, 'text near the title', 0.65)
  }
  const start = blocks[clues.textStart]
  const value = start === undefined ? null : textDate(start.text.slice(0, 160), clues)
  return value === null ? null : found(value, 'first words of the text', 0.5)
}

const labelled =
  /(?:published|posted|publié|veröffentlicht|erstellt|publicado|pubblicato|gepubliceerd|geplaatst|date|datum|stand|datum|eingestellt|vom|written|added|created|опубликовано|opublikowano)[^.\d]{0,40}(?=\d|\p{L}{3,10}\.? \d)/iu

function fromLabels(clues: Clues): Found | null {
  for (const block of clues.cut.blocks) {
    if (block.shape.words > 60 || block.shape.digits < 4) continue
    const match = labelled.exec(block.text)
    if (match === null) continue
    const value = textDate(block.text.slice(match.index, match.index + 120), clues)
    if (value !== null) return found(value, 'labelled text', 0.55)
  }
  return null
}

/** State that scripts carry often names the moment the page itself does not show. */
function fromScripts(clues: Clues, check: (value: string) => string | null): Found | null {
  for (const script of clues.page.scan.scripts) {
    const match = scriptDate.exec(script.text.slice(0, 400_000))
    const value = match?.[2] === undefined ? null : check(match[2])
    if (value !== null) return found(value, `script ${match?.[1] ?? ''}`, 0.45)
  }
  return null
}

const scriptDate =
  /["']?\b(date_?published|published_?(?:date|at|time)|publish_?date|publication_?date|pub_?date|created_?(?:date|at)|date_?created)["']?\s*[:=]\s*["']([^"']{8,40})["']/i

/** The last resort: the date written most often in short lines, the earliest of equals. */
function fromAnyText(clues: Clues): Found | null {
  const counts = new Map<string, number>()
  for (const block of clues.cut.blocks.slice(0, 3000)) {
    if (block.shape.digits < 4 || block.shape.words > 60) continue
    for (const { day } of allDates(block.text, clues.monthFirst, 5)) {
      if (plausible(day, clues)) counts.set(day, (counts.get(day) ?? 0) + 1)
    }
  }
  let best: string | null = null
  for (const [day, count] of counts) {
    const most = best === null ? 0 : (counts.get(best) ?? 0)
    if (count > most || (count === most && best !== null && day < best)) best = day
  }
  return best === null ? null : found(best, 'text', 0.3)
}

/** Upload folders often carry the month a picture came in; the day is a guess. */
function fromImages(clues: Clues): Found | null {
  const image = clues.declared.metas.get('og:image') ?? ''
  const match = /\/((?:19|20)\d\d)[/-]?([01]\d)[/-]?([0-3]\d)?(?!\d)/.exec(image)
  if (match === null) return null
  const day = firstDate(`${match[1]}-${match[2]}-${match[3] ?? '01'}`, false)?.day
  return day !== undefined && plausible(day, clues) ? found(day, 'meta[og:image] path', 0.2) : null
}

/** 03/04/2020 is March on American pages and April elsewhere. */
function writesMonthFirst(page: Page): boolean {
  const lang = (page.scan.lang ?? page.locale ?? '').toLowerCase()
  if (lang !== '' && !lang.startsWith('en')) return false
  if (/^en-(gb|au|nz|ie|za|in)/.test(lang)) return false
  const host = URL.canParse(page.url) ? new URL(page.url).hostname : ''
  return lang !== '' || !/\.[a-z]{2}$/.test(host) || host.endsWith('.us')
}

/** The text inside an element, bounded. */
export function textOf(element: Element, limit: number): string {
  let text = ''
  const stack = [...element.children].reverse()
  for (let steps = 0; stack.length > 0 && text.length < limit && steps < 500; steps++) {
    const node = stack.pop()
    if (node === undefined) break
    if (isText(node)) text += node.data
    else if (isTag(node) && node.name !== 'script' && node.name !== 'style') {
      text += ' '
      for (let i = node.children.length - 1; i >= 0; i--) {
        const child = node.children[i]
        if (child !== undefined) stack.push(child)
      }
    }
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, limit)
}

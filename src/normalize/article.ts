import { parseDateText } from '../kernel/dates/index.ts'
import { cleanDescription, cleanImageUrl, cleanTitle } from './clean.ts'
import { emptyToNull, round, tagsOf } from './event.ts'
import { detectLanguage } from './language.ts'
import type {
  ArticleInput,
  ItemInput,
  Normalized,
  NormalizedArticle,
  PageContext,
  SourceContext,
} from './types.ts'
import { instantOf, localOf } from './zone-time.ts'

const mostTextChars = 200_000
const excerptChars = 300
const dayMs = 86_400_000

export function normalizeArticle(
  raw: ItemInput,
  article: ArticleInput,
  source: SourceContext,
  page: PageContext,
): Normalized {
  const title = cleanTitle(raw.title, source.name)
  if (title === '') return { ok: false, reason: 'no_title', message: 'The article has no title.' }
  const url = raw.url ?? article.canonicalUrl ?? page.url
  if (url === null) return { ok: false, reason: 'no_url', message: `"${title}" has no address.` }
  const text = article.text.trim().slice(0, mostTextChars)
  const description = cleanDescription(raw.description) || excerptOf(text)
  const publishedAt = readMoment(article.publishedAt, source, page)
  const modifiedAt = readMoment(article.modifiedAt, source, page)
  const wordCount = text === '' ? 0 : text.split(/\s+/).length
  const imageUrl = cleanImageUrl(raw.imageUrl, url)
  const author = emptyToNull(article.byline)
  const item: NormalizedArticle = {
    kind: 'article',
    title,
    url,
    description,
    imageUrl,
    language: detectLanguage(`${title}. ${text || description}`, raw.language, source.locale),
    tags: tagsOf(raw.tags),
    confidence: round(raw.confidence),
    provenance: raw.provenance,
    text,
    markdown: article.markdown.slice(0, mostTextChars),
    author,
    section: emptyToNull(article.section),
    publishedAt,
    modifiedAt,
    wordCount,
    paywalled: article.paywalled,
    qualityScore: quality({
      wordCount,
      publishedAt,
      author,
      imageUrl,
      paywalled: article.paywalled,
    }),
  }
  return { ok: true, item }
}

/** 0 to 100: is there enough to read, and does it say who wrote it and when? */
function quality(facts: {
  wordCount: number
  publishedAt: Date | null
  author: string | null
  imageUrl: string | null
  paywalled: boolean
}): number {
  const length = 50 * Math.min(1, facts.wordCount / 300)
  const told =
    (facts.publishedAt === null ? 0 : 20) +
    (facts.author === null ? 0 : 15) +
    (facts.imageUrl === null ? 0 : 15)
  return Math.round(Math.max(0, length + told - (facts.paywalled ? 30 : 0)))
}

/** The first sentences, up to a length a list can show. */
function excerptOf(text: string): string {
  const start = text.slice(0, excerptChars * 2).replaceAll(/\s+/g, ' ')
  if (start.length <= excerptChars) return start
  const end = start.slice(0, excerptChars).search(/[.!?][^.!?]*$/)
  return end > excerptChars / 3
    ? start.slice(0, end + 1)
    : `${start.slice(0, start.lastIndexOf(' ', excerptChars))}…`
}

function readMoment(text: string | null, source: SourceContext, page: PageContext): Date | null {
  if (text === null || text.trim() === '') return null
  const direct = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text.trim())
    ? new Date(text.trim())
    : null
  const instant = direct ?? readLocal(text.trim(), source, page)
  if (instant === null || Number.isNaN(instant.getTime())) return null
  // A date in the future is a planned date or a mistake, never when it was published.
  return instant.getTime() > page.fetchedAt.getTime() + dayMs ? null : instant
}

function readLocal(text: string, source: SourceContext, page: PageContext): Date | null {
  const local = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?/.exec(text)?.[0].replace(' ', 'T')
  if (local !== undefined) return instantOf(local, source.timezone)
  const found = parseDateText(text, {
    ref: localOf(page.fetchedAt, source.timezone).slice(0, 10),
    lang: source.locale.slice(0, 2),
  })
  if (found === null || found.certainty < 0.4) return null
  return found.offset === undefined
    ? instantOf(found.start, source.timezone)
    : new Date(found.start + found.offset)
}

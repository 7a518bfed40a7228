import type { TruthItem } from '../../demo/index.ts'
import type { RawItem } from '../../src/extract/types.ts'

/** In which fields an extracted item differs from what its site meant to say. */
export function differences(truth: TruthItem, item: RawItem): string[] {
  const found: string[] = []
  const expectField = (field: string, actual: unknown, expected: unknown): void => {
    if (!Object.is(actual, expected))
      found.push(`${field}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`)
  }
  expectField('kind', item.kind, truth.kind)
  expectField('title', item.title, truth.title)
  if (truth.url !== null) expectField('url', item.url, truth.url)
  if (item.language !== null) expectField('language', item.language, truth.language)
  if (truth.description !== null) expectField('description', item.description, truth.description)
  if (item.calendar !== null) compareCalendar(truth, item.calendar, expectField)
  if (item.article !== null) compareArticle(truth, item.article, expectField)
  for (const field of ['title', ...(truth.start === null ? [] : ['start'])])
    if (item.provenance[field] === undefined) found.push(`${field}: nothing says where it is from`)
  return found
}

type Expect = (field: string, actual: unknown, expected: unknown) => void

function compareCalendar(
  truth: TruthItem,
  calendar: NonNullable<RawItem['calendar']>,
  expectField: Expect,
): void {
  const zone = truth.timezone ?? 'UTC'
  expectField('start', localTime(calendar.start, zone), truth.start)
  if (truth.end !== null) expectField('end', localTime(calendar.end, zone), truth.end)
  if (calendar.allDay !== null) expectField('allDay', calendar.allDay, truth.allDay)
  expectField('status', calendar.status, truth.status ?? 'scheduled')
  const place = calendar.locations[0]
  if (truth.location !== null) {
    expectField('location.name', place?.name ?? null, truth.location.name)
    if (truth.location.address !== null)
      expectField('location.address', place?.address ?? null, truth.location.address)
    if (truth.location.city !== null)
      expectField('location.city', place?.city ?? null, truth.location.city)
  }
  if (truth.organizer !== null) expectField('organizer', calendar.organizer, truth.organizer)
}

function compareArticle(
  truth: TruthItem,
  article: NonNullable<RawItem['article']>,
  expectField: Expect,
): void {
  expectField('publishedAt', instant(article.publishedAt), instant(truth.publishedAt))
  if (truth.author !== null) expectField('author', article.byline, truth.author)
  if (truth.section !== null) expectField('section', article.section, truth.section)
  const text = plain(article.text)
  for (const [index, paragraph] of truth.paragraphs.entries())
    if (!text.includes(plain(paragraph))) expectField(`paragraph ${index}`, 'missing', paragraph)
  for (const stranger of truth.boilerplate)
    if (text.includes(plain(stranger))) expectField('boilerplate', stranger, null)
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}

/** The wall time at the place: what carries an offset is moved there, what carries none is there already. */
function localTime(text: string | null, zone: string): string | null {
  if (text === null || /^\d{4}-\d\d-\d\d$/.test(text)) return text
  if (!/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return text.replace(' ', 'T').slice(0, 16)
  return new Date(text).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T').slice(0, 16)
}

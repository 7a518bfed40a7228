import type { Element } from 'domhandler'
import type { HeadingIndex } from './headings.ts'
import type { DatedRecord } from './records.ts'
import { parentOf } from './text-of.ts'

type GroupKind = 'schedule' | 'documents' | 'news'

const NEWS =
  /(?:^|[\s_-])(?:news|newslist|news-list|nieuws|nieuwsbericht|press|press-releases?|blog|actualiteiten|aktuelles|actualites)(?:[\s_-]|$)/i
const DOCUMENT_LINK =
  /\.(?:pdf|docx?|xlsx?|pptx?)(?:$|[?#])|viewfile|document|download|attachment|wp-content\/uploads/i
const DOCUMENT_TEXT = /\b(?:minutes|agendas?|packets?|notulen|verslag|audio|video|presentation)\b/i

/**
 * Of all dated blocks, the ones that tell of events. Lists of documents count only when the page has no
 * schedule of its own; news never does.
 */
export function selectRecords(headings: HeadingIndex, records: DatedRecord[]): DatedRecord[] {
  const groups = new Map<string, DatedRecord[]>()
  for (const record of records) {
    const heading = headings.above(record.from)[0]?.index ?? -1
    const key = `${record.signature}|${heading}|${isNamedDocument(record)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [record])
    else group.push(record)
  }
  const kinds = new Map([...groups].map(([key, list]) => [key, kindOf(list, headings)] as const))
  const lastOf = (kind: GroupKind): string =>
    [...groups]
      .filter(([key]) => kinds.get(key) === kind)
      .flatMap(([, list]) => list.flatMap((record) => record.mentions[0]?.date ?? []))
      .reduce((last, date) => (date > last ? date : last), '')
  // A schedule that runs as far as the documents covers them; an old remnant does not.
  const hasSchedule =
    lastOf('schedule') >= lastOf('documents').slice(0, 7) && lastOf('schedule') !== ''
  const wanted = new Set<DatedRecord>()
  for (const [key, list] of groups) {
    const kind = kinds.get(key)
    if (kind === 'schedule' || (kind === 'documents' && !hasSchedule))
      for (const record of list) wanted.add(record)
  }
  return records.filter((record) => wanted.has(record))
}

function kindOf(group: DatedRecord[], headings: HeadingIndex): GroupKind {
  const timed = group.filter((record) =>
    record.mentions.some((mention) => mention.time !== null),
  ).length
  const first = group[0]
  if (first !== undefined && timed < group.length / 2 && isNews(first, headings)) return 'news'
  const documents = group.filter(isDocument).length
  return documents > group.length / 2 && timed < group.length / 2 ? 'documents' : 'schedule'
}

// The date itself is the name of a file.
function isDocument(record: DatedRecord): boolean {
  const link = linkAround(record)
  return (
    link !== null &&
    (DOCUMENT_TEXT.test(link.text) || DOCUMENT_LINK.test(link.element.attribs['href'] ?? ''))
  )
}

function isNamedDocument(record: DatedRecord): boolean {
  return DOCUMENT_TEXT.test(linkAround(record)?.text ?? '')
}

function linkAround(record: DatedRecord): { text: string; element: Element } | null {
  const mention = record.mentions[0]
  const link = mention?.line.links.find(
    (other) => other.start <= mention.index + 2 && other.end >= mention.index + mention.length - 2,
  )
  if (mention === undefined || link === undefined) return null
  return { text: mention.line.text.slice(link.start, link.end), element: link.element }
}

function isNews(record: DatedRecord, headings: HeadingIndex): boolean {
  const heading = headings.above(record.from)[0]?.text ?? ''
  if (/^\W*(?:latest |recent )?(?:news|nieuws|press releases?|blog)\W*$/i.test(heading)) return true
  let current = record.root ?? record.mentions[0]?.line.block ?? null
  for (let step = 0; step < 4 && current !== null; step += 1) {
    if (NEWS.test(`${current.attribs['class'] ?? ''} ${current.attribs['id'] ?? ''}`)) return true
    current = parentOf(current)
  }
  return false
}

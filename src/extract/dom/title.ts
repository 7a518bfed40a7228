import type { Element } from 'domhandler'
import { specificWords, type HeadingIndex } from './headings.ts'
import type { Line, PageLines } from './lines.ts'
import type { DatedRecord } from './records.ts'
import { cellOf, columnRoles, type ColumnRole } from './tables.ts'
import { parentOf } from './text-of.ts'
import { findTimes } from './time-scan.ts'
import { scanDates } from './date-scan.ts'
import { monthNumber, weekdayNumber } from './calendar-words.ts'
import {
  ADDRESS,
  CANCELLED,
  LEFT_OVER,
  PLACE_LABEL,
  POSTPONED,
  TIME_LABEL,
  namesDocument,
} from './words.ts'

export interface Found {
  text: string
  line: Line
  confidence: number
}

export interface TitleContext {
  page: PageLines
  headings: HeadingIndex
  lang: string | null
  pageTitle: string
  host: string
  roles: Map<Element, ColumnRole[]>
}

const MAX_TITLE_CHARS = 180
const TITLE_CLASS =
  /(?:^|[\s_-])(?:title|titel|name|naam|summary|heading|headline|kop|subject|event-?name)(?:[\s_-]|$)/i
const CLOCK_WORDS = new Set(
  'at on om from to tot uur am pm est edt cst cdt pst pdt mst mdt et ct pt tbd tba time date datum tijd st nd rd th a p m'.split(
    ' ',
  ),
)

/** The name of what happens, from the record's own text. */
export function titleIn(record: DatedRecord, context: TitleContext): Found | null {
  let best: (Found & { score: number }) | null = null
  const dateLine = record.mentions[0]?.line.index ?? record.from
  const last = Math.min(record.to, record.isPage === true ? dateLine + 6 : record.from + 40)
  for (let at = record.from; at < last; at += 1) {
    const line = context.page.lines[at]
    if (line === undefined) break
    for (const text of candidates(line, record, context.lang)) {
      const score = scoreOf(text, line, record, context, at - record.from)
      if (score > 0.5 && (best === null || score > best.score))
        best = { text, line, score, confidence: Math.min(0.9, 0.3 + score / 10) }
    }
  }
  return best
}

/** The name of the list it stands in, when the record holds only a date. */
export function titleAbove(record: DatedRecord, context: TitleContext): Found | null {
  const chain = context.headings
    .above(record.from)
    .filter((line) => findTimes(line.text).length === 0)
  const anchor = chain[0] ?? context.page.lines[record.from]
  if (anchor === undefined) return null
  const inner = chain.find((line) => line.heading !== 1 && specificWords(line.text).length > 0)
  const pageName = nameOfPage(chain, context)
  const isThin = inner === undefined || specificWords(inner.text).length < 2
  const parts =
    inner === undefined ? [pageName] : isThin ? [pageName, tidy(inner.text)] : [tidy(inner.text)]
  const text = [...new Set(parts.filter((part) => part !== ''))].join(' – ') || tidy(anchor.text)
  return { text: text.slice(0, MAX_TITLE_CHARS), line: inner ?? anchor, confidence: 0.4 }
}

// The main heading, unless the document title speaks of something else; a bare "Agenda" gets the site's name.
function nameOfPage(chain: Line[], { pageTitle, host }: TitleContext): string {
  const main = chain.find((line) => line.heading === 1 && !isLogo(line))
  const parts = pageTitle
    .split(/\s[|–—•·»:-]\s|\s*[|»]\s*/u)
    .map(tidy)
    .filter((part) => part !== '')
  const named = parts
    .filter((part) => specificWords(part).length > 0)
    .toSorted((a, b) => Number(isSiteName(a, host)) - Number(isSiteName(b, host)))
  const heading = main === undefined ? '' : tidy(main.text)
  const words = specificWords(heading)
  const inTitle = words.some((word) => pageTitle.toLowerCase().includes(word.toLowerCase()))
  if (words.length > 1) return heading
  if (words.length > 0 && inTitle)
    return [heading, ...named.filter((part) => part !== heading)].slice(0, 2).join(' – ')
  const [first, second] = named
  if (first === undefined) return heading
  if (heading !== '' && words.length === 0) return `${heading} – ${first}`
  return specificWords(first).length > 1 || second === undefined ? first : `${first} – ${second}`
}

// "Ramsey County" on ramseycounty.us: the part of a title that names the site, before or after the page's own.
function isSiteName(part: string, host: string): boolean {
  const letters = part.toLowerCase().replace(/[^a-z0-9]/g, '')
  return letters.length > 3 && host.replace(/[^a-z0-9]/g, '').includes(letters)
}

// The site's name, linked to its home page.
function isLogo(line: Line): boolean {
  return line.links.some((link) => link.start === 0 && link.end === line.text.length)
}

// A line offers its text without dates and times, and each of its links.
function candidates(line: Line, record: DatedRecord, lang: string | null): string[] {
  const clip = record.clip
  const text = clip === null ? line.text : line.text.slice(clip.start, clip.end)
  const whole = strip(withoutButtons(line, text, clip?.start ?? 0), lang)
  if (clip !== null) return usable(whole) ? [whole] : []
  const links = line.links
    .map((link) => strip(line.text.slice(link.start, link.end), lang))
    .filter((link) => link !== whole && usable(link))
  const pieces = whole.includes(' | ')
    ? whole.split(' | ').map(tidy).filter(usable).slice(0, 3)
    : []
  return [...(usable(whole) && pieces.length < 2 ? [whole] : []), ...pieces, ...links]
}

// "view agenda", "read more": links that stand beside what the line says.
function withoutButtons(line: Line, text: string, offset: number): string {
  let rest = text
  for (const link of line.links.toReversed()) {
    const label = line.text.slice(link.start, link.end)
    const [from, to] = [link.start - offset, link.end - offset]
    if (from >= 0 && to <= text.length && namesDocument(label))
      rest = `${rest.slice(0, from)} ¦ ${rest.slice(to)}`
  }
  return rest
}

function strip(text: string, lang: string | null): string {
  let rest = text
  for (const date of scanDates(rest, lang).toReversed())
    rest = `${rest.slice(0, date.index)} ¦ ${rest.slice(date.index + date.length)}`
  for (const time of findTimes(rest).toReversed())
    rest = `${rest.slice(0, time.index)} ¦ ${rest.slice(time.index + time.length)}`
  const parts = rest
    .split('¦')
    .map(tidy)
    .filter((part) => /\p{L}{2}/u.test(part) && !isCalendarOnly(part))
  return parts.length === 0 ? '' : tidy(parts.join(' '))
}

export function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:|·•▼►▶▲–—\-*>»@()/\]]+|[\s,;:|·•–—\-*<«@(/[]+$/gu, '')
    .replace(/^(?:at|on|om|op|from|van|to|@)\s+(?=\p{Lu}|$)/u, '')
    .replace(/[\s,;:–—-]+(?:at|on|om|op|from|van|and|en)$/iu, '')
    .slice(0, MAX_TITLE_CHARS)
    .trim()
}

function usable(text: string): boolean {
  return (
    /\p{L}{2}/u.test(text) &&
    text.length >= 3 &&
    !namesDocument(text) &&
    !TIME_LABEL.test(text) &&
    !isCalendarOnly(text) &&
    !/^(?:https?:|www\.|\S+@\S+$)/i.test(text)
  )
}

function isCalendarOnly(text: string): boolean {
  const words =
    text
      .slice(0, 120)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return words.every(
    (word) =>
      CLOCK_WORDS.has(word) ||
      LEFT_OVER.has(word) ||
      monthNumber(word) !== null ||
      weekdayNumber(word) !== null,
  )
}

function scoreOf(
  text: string,
  line: Line,
  record: DatedRecord,
  context: TitleContext,
  offset: number,
): number {
  let score = 2 - Math.min(1.5, offset * 0.1)
  if (line.heading > 0) score += 4.5 - line.heading * 0.25
  else if (line.strong) score += 1.2
  if (hasTitleClass(line.block, record.root)) score += 3
  if (line.links.some((link) => line.text.slice(link.start, link.end).includes(text))) score += 1
  score += roleScore(line, context)
  if (isFileElsewhere(line, record)) score -= 3
  if (record.isPage === true && text.length > 5 && context.pageTitle.includes(text)) score += 3
  if (text.length > 90) score -= text.length > 140 ? 3 : 1.5
  if (PLACE_LABEL.test(line.text) || isBareLabel(context.page.lines[line.index - 1])) score -= 4
  if (/^[\p{L} /&]{2,24}:/u.test(line.text) && line.heading === 0) score -= 1.2
  if (ADDRESS.test(text) || /^(?:room|suite|floor|building|zaal)\b/iu.test(text)) score -= 3
  const stateOnly = text.replace(CANCELLED, '').replace(POSTPONED, '')
  if (specificWords(stateOnly).length === 0) score -= 2.2
  if (/^\(.*\)$/.test(text)) score -= 1
  return score
}

// "Location:" above a line makes the line a place.
function isBareLabel(line: Line | undefined): boolean {
  const label = line === undefined ? null : PLACE_LABEL.exec(line.text)
  return label !== null && label[0].length === line?.text.length
}

// Links to files name the event only in the line that has its date.
function isFileElsewhere(line: Line, record: DatedRecord): boolean {
  if (record.mentions.some((mention) => mention.line === line)) return false
  return line.links.some((link) =>
    /\.(?:pdf|docx?|xlsx?|pptx?|mp[34])(?:$|[?#])|viewfile|getfile|showdocument/i.test(
      link.element.attribs['href'] ?? '',
    ),
  )
}

function roleScore(line: Line, context: TitleContext): number {
  const cell = cellOf(line.block)
  const role = cell === null ? null : columnRoles(cell.table, context.roles)[cell.column]
  if (role === 'title') return 3.5
  if (role === 'place') return -4
  return role === 'document' ? -3 : 0
}

function hasTitleClass(block: Element, root: Element | null): boolean {
  let current: Element | null = block
  for (let step = 0; step < 3 && current !== null && current !== root; step += 1) {
    if (
      TITLE_CLASS.test(current.attribs['class'] ?? '') ||
      /name|summary/.test(current.attribs['itemprop'] ?? '')
    )
      return true
    current = parentOf(current)
  }
  return false
}

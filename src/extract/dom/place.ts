import type { Element } from 'domhandler'
import type { Line, PageLines } from './lines.ts'
import type { DatedRecord } from './records.ts'
import { cellOf, columnRoles, type ColumnRole } from './tables.ts'
import { tidy, type Found } from './title.ts'
import { findTimes } from './time-scan.ts'
import { scanDates } from './date-scan.ts'
import { ADDRESS, HALL, PLACE_LABEL } from './words.ts'

const PLACE_CLASS =
  /(?:^|[\s_-])(?:location|locatie|venue|place|plaats|address|adres|adr|room|zaal|where)(?:[\s_-]|$)/i
const ADDRESS_CLASS = /(?:^|[\s_-])(?:address|adres|adr)(?:[\s_-]|$)/i
const MAX_PLACE_CHARS = 160
const MAX_LINES = 40

/** Where it happens: a labelled line, a place column, an element named for it, or an address. */
export function placeIn(
  record: DatedRecord,
  page: PageLines,
  title: string,
  lang: string | null,
  roles: Map<Element, ColumnRole[]>,
): Found | null {
  const last = Math.min(record.to, record.from + MAX_LINES)
  let address: Found | null = null
  for (let at = record.from; at < last; at += 1) {
    const line = page.lines[at]
    if (line === undefined) break
    const named = namedPlace(line, page, roles)
    if (named !== null)
      return { text: withAddress(named, page.lines[at + 1]), line, confidence: 0.75 }
    if (address === null && line.heading === 0) {
      const text = placeText(line, record, title, lang)
      if (text !== null) address = { text, line, confidence: 0.5 }
    }
  }
  return address
}

// A hall with its address on a line of its own.
function withAddress(name: string, next: Line | undefined): string {
  if (next === undefined || ADDRESS.test(name) || !/\d/.test(next.text)) return name
  const marked =
    next.block.name === 'address' || ADDRESS_CLASS.test(next.block.attribs['class'] ?? '')
  const whole = `${name}, ${tidy(next.text)}`
  return marked && whole.length <= MAX_PLACE_CHARS ? whole : name
}

/** The usual place of a list, told once above it. */
export function placeInProse(line: Line): Found | null {
  const match =
    /\b(?:at|in)\s+((?:the\s+)?[A-Z][^.;:]{3,90}?)(?=,?\s+(?:at|from|on|starting|beginning|unless)\b|[.;:]|$)/.exec(
      line.text,
    ) ??
    /\b(?:in|bij|te)\s+((?:de|het)\s+[\p{L}][^.;:]{3,80}?)(?=,?\s+(?:om|vanaf|op|aanvang)\b|[.;:]|$)/iu.exec(
      line.text,
    )
  const text = tidy(match?.[1] ?? '')
  const isPlace = text !== '' && (HALL.test(text) || ADDRESS.test(text))
  return isPlace ? { text: text.slice(0, MAX_PLACE_CHARS), line, confidence: 0.4 } : null
}

/** "Jubileumavond, Theater De Molen": a name and the hall after it. */
export function splitPlace(title: string): { name: string; place: string } | null {
  const comma = title.indexOf(', ')
  const place = comma < 3 ? '' : title.slice(comma + 2).trim()
  const isPlace = place !== '' && (isHall(place) || ADDRESS.test(place))
  return isPlace ? { name: title.slice(0, comma), place } : null
}

function namedPlace(line: Line, page: PageLines, roles: Map<Element, ColumnRole[]>): string | null {
  const label = PLACE_LABEL.exec(line.text)
  if (label !== null) {
    const rest = beforeTime(line.text.slice(label[0].length))
    const value = rest === '' ? beforeTime(page.lines[line.index + 1]?.text ?? '') : rest
    return value === '' || value.length > MAX_PLACE_CHARS ? null : value
  }
  const cell = cellOf(line.block)
  const role = cell === null ? null : columnRoles(cell.table, roles)[cell.column]
  if (role === 'place') return tidy(line.text).slice(0, MAX_PLACE_CHARS)
  const named =
    PLACE_CLASS.test(line.block.attribs['class'] ?? '') && line.text.length <= MAX_PLACE_CHARS
  return named && /\p{L}{2}/u.test(line.text) && line.heading === 0 ? tidy(line.text) : null
}

// "Kerk, aanvang 20.00 uur": the place ends where the hour begins.
function beforeTime(text: string): string {
  const time = findTimes(text)[0]
  const place = time === undefined ? text : text.slice(0, time.index)
  return tidy(tidy(place).replace(/[\s,;]+(?:aanvang|inloop|start|vanaf|from|at|um|ab|à)$/iu, ''))
}

function placeText(
  line: Line,
  record: DatedRecord,
  title: string,
  lang: string | null,
): string | null {
  const clip = record.clip
  let text = clip === null ? line.text : line.text.slice(clip.start, clip.end)
  if (text.length > 220) return null
  for (const date of scanDates(text, lang).toReversed())
    text = `${text.slice(0, date.index)} | ${text.slice(date.index + date.length)}`
  for (const time of findTimes(text).toReversed())
    text = `${text.slice(0, time.index)} | ${text.slice(time.index + time.length)}`
  const pieces = text.split(/\s\|\s|\s[–—-]\s|:\s/).map(tidy)
  const found = pieces.find(
    (piece) =>
      piece.length <= MAX_PLACE_CHARS && piece !== title && (ADDRESS.test(piece) || isHall(piece)),
  )
  return found ?? null
}

function isHall(text: string): boolean {
  return HALL.test(text) && text.split(' ').length <= 8 && /^\p{Lu}|^\d/u.test(text)
}

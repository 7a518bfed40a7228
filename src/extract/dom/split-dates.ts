import type { Element } from 'domhandler'
import { MONTH, WEEKDAY, monthNumber, weekdayNumber } from './calendar-words.ts'
import type { WrittenDate } from './date-scan.ts'
import type { Line } from './lines.ts'
import { cellOf } from './tables.ts'
import { parentOf } from './text-of.ts'

const MONTH_ONLY = new RegExp(String.raw`^(${MONTH})\.?,?(?:\s+((?:19|20)\d{2}))?$`, 'iu')
const DAY_ONLY = new RegExp(
  String.raw`^(?:(${WEEKDAY})\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th|\.|\*)?$`,
  'iu',
)
const MONTH_DAY = new RegExp(
  String.raw`^(?:(${MONTH})\.?\s+(\d{1,2})|(\d{1,2})\.?\s+(${MONTH})\.?)$`,
  'iu',
)
const YEAR_ONLY = /^(?:19|20)\d{2}$/
const NEAR = 4

/**
 * Dates whose parts stand in elements of their own: "Mar" above "21", "21" above "maart", "Feb 25" beside
 * "2019", and tables with a month per row and its days in the cells. By index of the line that carries them.
 */
export function scanSplitDates(lines: Line[]): Map<number, WrittenDate[]> {
  const found = new Map<number, WrittenDate[]>()
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]
    if (line === undefined || line.text.length > 24 || !line.text.match(/[\p{L}\d]/u)) continue
    const month = MONTH_ONLY.exec(line.text)
    if (month !== null) at = monthThenDays(lines, at, month, found)
    else if (DAY_ONLY.test(line.text)) at = dayThenMonth(lines, at, found)
    else if (MONTH_DAY.test(line.text)) at = dateThenYear(lines, at, found)
  }
  return found
}

function monthThenDays(
  lines: Line[],
  at: number,
  month: RegExpExecArray,
  found: Map<number, WrittenDate[]>,
): number {
  const number = monthNumber(month[1] ?? '')
  const head = lines[at]
  if (number === null || head === undefined) return at
  const year = month[2] === undefined ? null : Number(month[2])
  const row = cellOf(head.block)?.row ?? null
  let last = at
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next]
    const day = line === undefined ? null : DAY_ONLY.exec(line.text)
    if (line === undefined || day === null) break
    const sameRow = row !== null && cellOf(line.block)?.row === row
    if (!sameRow && (next > at + 1 || !areNear(head.block, line.block))) break
    const parts = partsOf(line, number, day, year ?? yearBelow(lines, next, sameRow))
    found.set(line.index, [{ ...parts, inRow: sameRow }])
    last = next
    if (!sameRow) break
  }
  return last
}

function dayThenMonth(lines: Line[], at: number, found: Map<number, WrittenDate[]>): number {
  const line = lines[at]
  const next = lines[at + 1]
  const day = line === undefined ? null : DAY_ONLY.exec(line.text)
  const month = next === undefined ? null : MONTH_ONLY.exec(next.text)
  const number = monthNumber(month?.[1] ?? '')
  if (line === undefined || next === undefined || day === null || number === null) return at
  if (!areNear(line.block, next.block)) return at
  const year = month?.[2] === undefined ? yearBelow(lines, at + 1, false) : Number(month[2])
  found.set(line.index, [partsOf(line, number, day, year)])
  return at + 1
}

function dateThenYear(lines: Line[], at: number, found: Map<number, WrittenDate[]>): number {
  const line = lines[at]
  const year = yearBelow(lines, at, false)
  const parts = line === undefined ? null : MONTH_DAY.exec(line.text)
  const number = monthNumber(parts?.[1] ?? parts?.[4] ?? '')
  if (line === undefined || parts === null || number === null || year === null) return at
  found.set(line.index, [writtenAt(line, number, Number(parts[2] ?? parts[3]), year, null)])
  return at + 1
}

function yearBelow(lines: Line[], at: number, sameRow: boolean): number | null {
  const line = lines[at]
  const next = lines[at + 1]
  if (sameRow || line === undefined || next === undefined || !YEAR_ONLY.test(next.text)) return null
  return areNear(line.block, next.block) ? Number(next.text) : null
}

function partsOf(
  line: Line,
  month: number,
  day: RegExpExecArray,
  year: number | null,
): WrittenDate {
  const weekday = day[1] === undefined ? null : weekdayNumber(day[1])
  return writtenAt(line, month, Number(day[2]), year, weekday)
}

function writtenAt(
  line: Line,
  month: number,
  day: number,
  year: number | null,
  weekday: number | null,
): WrittenDate {
  return {
    year,
    month,
    day,
    endDay: null,
    endMonth: null,
    weekday,
    index: 0,
    length: line.text.length,
  }
}

// Parts of one date share a small box.
function areNear(a: Element, b: Element): boolean {
  const around = new Set<Element>()
  let current: Element | null = a
  for (let step = 0; step < NEAR && current !== null; step += 1) {
    around.add(current)
    current = parentOf(current)
  }
  current = b
  for (let step = 0; step < NEAR && current !== null; step += 1) {
    if (around.has(current)) return current.name !== 'body' && current.name !== 'ul'
    current = parentOf(current)
  }
  return false
}

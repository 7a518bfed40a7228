import { isTag, type Element } from 'domhandler'
import { MONTH, monthNumber, weekdayNumber } from './calendar-words.ts'
import type { WrittenDate } from './date-scan.ts'
import type { Line, PageLines } from './lines.ts'
import { parentOf, textOf } from './text-of.ts'

interface Month {
  year: number
  month: number
}

const MONTH_YEAR = new RegExp(String.raw`(?<!\p{L})(${MONTH})\.?,?\s+((?:19|20)\d{2})(?!\d)`, 'iu')
const DAY = /^(\d{1,2})(?!\d|[:.,/-]\d)/
const LINES_ABOVE = 30

/**
 * Calendars drawn as a table with a column per weekday: each cell that holds more than its number is dated by
 * the number and the month above the table. By index of the cell's first line.
 */
export function scanMonthGrids(page: PageLines): Map<number, WrittenDate[]> {
  const found = new Map<number, WrittenDate[]>()
  for (const [element, range] of page.ranges) {
    if (element.name !== 'table' || !hasWeekdayHeader(element)) continue
    const month = monthFor(page.lines, range.from, range.to)
    if (month !== null) readCells(element, month, page, found)
  }
  return found
}

function readCells(
  table: Element,
  start: Month,
  page: PageLines,
  found: Map<number, WrittenDate[]>,
): void {
  // Grids open with the last days of the month before.
  let current: Month | null = null
  let last = 0
  for (const cell of cellsOf(table)) {
    const range = page.ranges.get(cell)
    const line = range === undefined ? undefined : page.lines[range.from]
    const day = line === undefined ? null : DAY.exec(line.text)
    if (range === undefined || line === undefined || day === null) continue
    const number = Number(day[1])
    if (number < 1 || number > 31) continue
    if (current === null) current = number > 20 ? monthBefore(start) : start
    else if (number < last) current = monthAfter(current)
    last = number
    const holdsMore = range.to - range.from > 1 || line.text.length > (day[1]?.length ?? 0) + 3
    if (!holdsMore) continue
    const { year, month } = current
    const written = { year, month, day: number, endDay: null, endMonth: null, weekday: null }
    found.set(line.index, [{ ...written, inRow: true, index: 0, length: day[1]?.length ?? 1 }])
  }
}

function hasWeekdayHeader(table: Element): boolean {
  const first = cellsOf(table)
    .slice(0, 16)
    .map((cell) => textOf(cell, 20))
  return first.filter((text) => weekdayNumber(text) !== null).length >= 5
}

function cellsOf(table: Element): Element[] {
  const rows = table.children
    .filter(isTag)
    .flatMap((child) => (child.name === 'tr' ? [child] : child.children.filter(isTag)))
  return rows
    .filter((row) => row.name === 'tr' && parentOf(row) !== null)
    .flatMap((row) => row.children.filter(isTag))
    .slice(0, 1_000)
}

function monthFor(lines: Line[], from: number, to: number): Month | null {
  for (let at = from; at < Math.min(to, from + 3); at += 1) {
    const inside = monthIn(lines[at])
    if (inside !== null) return inside
  }
  for (let at = from - 1; at >= Math.max(0, from - LINES_ABOVE); at -= 1) {
    const above = monthIn(lines[at])
    if (above !== null) return above
  }
  return null
}

function monthIn(line: Line | undefined): Month | null {
  const match = line === undefined || line.text.length > 60 ? null : MONTH_YEAR.exec(line.text)
  const month = monthNumber(match?.[1] ?? '')
  return match === null || month === null ? null : { month, year: Number(match[2]) }
}

function monthBefore({ year, month }: Month): Month {
  return month === 1 ? { year: year - 1, month: 12 } : { year, month: month - 1 }
}

function monthAfter({ year, month }: Month): Month {
  return month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 }
}

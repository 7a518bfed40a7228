import type { Element } from 'domhandler'
import { scanDates, type WrittenDate } from './date-scan.ts'
import type { Line, PageLines } from './lines.ts'
import { scanMonthGrids } from './month-grid.ts'
import { signatureOf } from './signature.ts'
import { scanSplitDates } from './split-dates.ts'
import { cellOf, columnRoles, type ColumnRole } from './tables.ts'
import { findTimes, type TimeMention } from './time-scan.ts'
import { ANNOUNCES, NOT_WHEN } from './words.ts'
import { resolveYears } from './years.ts'

/** How much a mention looks like the date of something that happens. */
export type Weight = 'noise' | 'prose' | 'announced' | 'clear'

/** A date that stands somewhere on the page. */
export interface Mention {
  line: Line
  index: number
  length: number
  written: WrittenDate
  /** `YYYY-MM-DD`, with the year of its surroundings when none was written. */
  date: string
  endDate: string | null
  time: TimeMention | null
  weight: Weight
  /** The column of a table it stands in. */
  role: ColumnRole
  /** Same for mentions that stand in the same kind of place. */
  signature: string
}

export interface DateContext {
  ref: string
  lang: string | null
  /** Titles and address of the page: the last place to look for a year. */
  pageText: string
}

const MAX_MENTIONS = 6_000
const CLEAR_LINE_CHARS = 170
const STAMP = /^((?:19|20)\d{2})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2})(?!.*Z$))?/

/** Every calendar date on the page with its weight, in document order. */
export function findMentions(page: PageLines, context: DateContext): Mention[] {
  const split = scanSplitDates(page.lines)
  const grids = scanMonthGrids(page)
  const found: Array<{ line: Line; written: WrittenDate }> = []
  for (const line of page.lines) {
    if (line.zone === 'nav' || line.zone === 'footer') continue
    const dates = withStamp(
      line,
      split.get(line.index) ?? grids.get(line.index) ?? scanDates(line.text, context.lang),
    )
    for (const written of withoutRepeats(dates)) found.push({ line, written })
    if (found.length >= MAX_MENTIONS) break
  }
  const years = resolveYears(page.lines, found, context)
  const roles = new Map<Element, ColumnRole[]>()
  const mentions = found.flatMap(({ line, written }, at) => {
    const year = years[at]
    return year === undefined ? [] : [toMention(line, written, year, roles)]
  })
  return spreadRows(mentions)
}

// Rows that hold a different date in every cell are a grid of dates, not one event per row.
function spreadRows(mentions: Mention[]): Mention[] {
  const rows = new Map<Element, Mention[]>()
  for (const mention of mentions) {
    const row =
      mention.role === null && mention.weight === 'clear'
        ? cellOf(mention.line.block)?.row
        : undefined
    if (row === undefined) continue
    const inRow = rows.get(row)
    if (inRow === undefined) rows.set(row, [mention])
    else inRow.push(mention)
  }
  for (const inRow of rows.values()) {
    const dates = new Set(inRow.map((mention) => mention.date))
    const isGrid = dates.size > 1 && inRow.every((mention) => mention.line.text.length < 40)
    if (isGrid)
      for (const mention of inRow) mention.signature = mention.signature.replace(/@\d+$/, '')
  }
  return mentions
}

function toMention(
  line: Line,
  written: WrittenDate,
  year: number,
  roles: Map<Element, ColumnRole[]>,
): Mention {
  const cell = cellOf(line.block)
  const role = cell === null ? null : (columnRoles(cell.table, roles)[cell.column] ?? null)
  const date = iso(year, written.month, written.day)
  return {
    line,
    index: written.index,
    length: written.length,
    written,
    date,
    endDate: endOf(written, year, date),
    time: timeNear(line.text, written) ?? stampTime(line, date),
    weight: role === 'deadline' ? 'noise' : weigh(line, written),
    role,
    signature: `${signatureOf(line.block)}${cell === null || written.inRow === true ? '' : `@${cell.column}`}`,
  }
}

// The machine's copy of a date tells the year, or the whole date when people see only "vandaag".
function withStamp(line: Line, dates: WrittenDate[]): WrittenDate[] {
  const stamp = line.stamp === null ? null : STAMP.exec(line.stamp)
  if (stamp === null) return dates
  const [year, month, day] = [Number(stamp[1]), Number(stamp[2]), Number(stamp[3])]
  if (dates.length === 0 && month >= 1 && month <= 12 && day >= 1 && day <= 31)
    return [{ year, month, day, endDay: null, endMonth: null, weekday: null, index: 0, length: 0 }]
  return dates.map((date) =>
    date.year === null && date.month === month && date.day === day ? { ...date, year } : date,
  )
}

// A clock in UTC says nothing about the hour on the wall.
function stampTime(line: Line, date: string): TimeMention | null {
  const stamp = line.stamp === null ? null : STAMP.exec(line.stamp)
  const clock = stamp?.[4]
  if (clock === undefined || clock === '00:00' || !line.stamp?.startsWith(date)) return null
  return { start: clock, end: null, index: 0, length: 0 }
}

function weigh(line: Line, written: WrittenDate): Weight {
  const before = line.text.slice(Math.max(0, written.index - 60), written.index)
  if (NOT_WHEN.test(before)) return 'noise'
  const isShort = line.text.length <= CLEAR_LINE_CHARS
  if (isShort && !endsSentence(before)) return 'clear'
  if (written.index < 30 || isLinkText(line, written)) return 'clear'
  return ANNOUNCES.test(line.text) ? 'announced' : isShort ? 'clear' : 'prose'
}

function isLinkText(line: Line, written: WrittenDate): boolean {
  return line.links.some(
    (link) =>
      link.start <= written.index &&
      link.end >= written.index + written.length &&
      link.end - link.start <= 60,
  )
}

// "… adopted in the meeting of " runs on: the date is part of a sentence.
function endsSentence(before: string): boolean {
  return (
    /\b(?:in|of|from|between|after|before|by|voor|na|tussen)\s+$/iu.test(before) &&
    before.length > 40
  )
}

// The hour right after the date, else right before it, in the same line and before the next date.
function timeNear(text: string, written: WrittenDate): TimeMention | null {
  const end = written.index + written.length
  const after = findTimes(text.slice(end, end + 90))[0]
  if (after !== undefined && !NOT_WHEN.test(text.slice(end, end + after.index)))
    return { ...after, index: after.index + end }
  const from = Math.max(0, written.index - 60)
  const before = findTimes(text.slice(from, written.index)).at(-1)
  return before === undefined ? null : { ...before, index: before.index + from }
}

function endOf(written: WrittenDate, year: number, start: string): string | null {
  if (written.endDay === null) return null
  const month = written.endMonth ?? written.month
  const end = iso(month < written.month ? year + 1 : year, month, written.endDay)
  return end > start ? end : null
}

function withoutRepeats(dates: WrittenDate[]): WrittenDate[] {
  const seen = new Set<string>()
  return dates.filter((date) => {
    const key = `${date.month}-${date.day}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function iso(year: number, month: number, day: number): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

import type { HeadingIndex } from './headings.ts'
import type { Element } from 'domhandler'
import type { Line, PageLines } from './lines.ts'
import { cellOf, sharesRow } from './tables.ts'
import { placeInProse } from './place.ts'
import type { DatedRecord } from './records.ts'
import { findTimes, type TimeMention } from './time-scan.ts'
import type { Found } from './title.ts'
import { NOT_WHEN, USUAL_TIME } from './words.ts'

/** What a list says once for all its entries. */
export interface ListDefaults {
  time: TimeMention | null
  place: Found | null
}

const LINES_ABOVE = 25
const UNUSUAL = /\b(?:hours|office|monday\s*-\s*friday|prior|deadline|before|openingstijden)\b/i

/**
 * Looks above a list for "meets at 6:30 p.m. in the Town Hall": first down from the list's own heading, then
 * from the heading over that, to the top of the page's main part.
 */
export function defaultsAbove(
  page: PageLines,
  headings: HeadingIndex,
  record: DatedRecord,
  isDated: (lineIndex: number) => boolean,
): ListDefaults {
  const chain = headings.above(record.from)
  const first = record.mentions[0]?.line.block
  const table = first === undefined ? undefined : cellOf(first)?.table
  const starts = [...chain.map((line) => line.index), Math.max(0, record.from - LINES_ABOVE)]
  const found: ListDefaults = { time: null, place: null }
  let end = record.from
  for (const start of starts) {
    const from = Math.max(start, end - LINES_ABOVE * 2)
    for (let at = end - 1; at >= from; at -= 1) {
      const line = page.lines[at]
      if (
        line === undefined ||
        line.zone === 'nav' ||
        line.zone === 'footer' ||
        isDated(at) ||
        isColumnHead(line, table)
      )
        continue
      found.time ??= usualTime(line.text)
      found.place ??= placeInProse(line)
    }
    if (found.time !== null || start >= end) break
    end = Math.max(0, start)
  }
  return found
}

// What a header cell says holds for its column only; a row over all columns speaks for the table.
function isColumnHead(line: Line, table: Element | undefined): boolean {
  const cell = table === undefined ? null : cellOf(line.block)
  return cell !== null && cell.table === table && sharesRow(cell)
}

function usualTime(text: string): TimeMention | null {
  if (!USUAL_TIME.test(text) && text.length > 60) return null
  const times = findTimes(text).filter((time) => isUsual(text, time))
  const distinct = new Set(times.map((time) => time.start))
  return distinct.size > 2 ? null : (times[0] ?? null)
}

function isUsual(text: string, time: TimeMention): boolean {
  const before = text.slice(Math.max(0, time.index - 60), time.index)
  const around = text.slice(Math.max(0, time.index - 30), time.index + time.length + 30)
  return !NOT_WHEN.test(before) && !UNUSUAL.test(around)
}

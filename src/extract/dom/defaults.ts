import type { HeadingIndex } from './headings.ts'
import type { PageLines } from './lines.ts'
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
  const starts = [...chain.map((line) => line.index), Math.max(0, record.from - LINES_ABOVE)]
  const found: ListDefaults = { time: null, place: null }
  let end = record.from
  for (const start of starts) {
    const from = Math.max(start, end - LINES_ABOVE * 2)
    for (let at = end - 1; at >= from; at -= 1) {
      const line = page.lines[at]
      if (line === undefined || line.zone === 'nav' || line.zone === 'footer' || isDated(at))
        continue
      found.time ??= usualTime(line.text)
      found.place ??= placeInProse(line)
    }
    if (found.time !== null || start >= end) break
    end = Math.max(0, start)
  }
  return found
}

function usualTime(text: string): TimeMention | null {
  if (!USUAL_TIME.test(text) && text.length > 60) return null
  const times = findTimes(text).filter((time) => !NOT_WHEN.test(text.slice(0, time.index)))
  const distinct = new Set(times.map((time) => time.start))
  const [first] = times
  if (
    first === undefined ||
    distinct.size > 2 ||
    /\b(?:hours|open|office|monday\s*-\s*friday)\b/i.test(text)
  )
    return null
  return first
}

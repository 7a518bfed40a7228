import type { CalendarStatus } from '../types.ts'
import type { PageLines } from './lines.ts'
import type { DatedRecord } from './records.ts'
import { CANCELLED, POSTPONED, RESCHEDULED } from './words.ts'

const MAX_LINES = 12

/** Whether the block says that it does not happen, or not then. Long text may speak of something else. */
export function statusOf(record: DatedRecord, page: PageLines): CalendarStatus {
  for (let at = record.from; at < Math.min(record.to, record.from + MAX_LINES); at += 1) {
    const line = page.lines[at]
    if (line === undefined || line.text.length > 160) continue
    const text =
      record.clip === null ? line.text : line.text.slice(record.clip.start, record.clip.end)
    if (CANCELLED.test(text)) return 'cancelled'
    if (POSTPONED.test(text)) return 'postponed'
    if (RESCHEDULED.test(text)) return 'rescheduled'
  }
  return 'scheduled'
}

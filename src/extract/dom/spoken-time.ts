import { parseDateText } from '../../kernel/dates/index.ts'
import type { Mention } from './mentions.ts'
import type { TimeMention } from './time-scan.ts'

const SPOKEN = /\b(?:half|kwart|kwartier|uur|ochtends|middags|avonds|quarter|o['’]?clock|past)\b/iu
const WINDOW = 60

/** An hour in words beside a date ("half acht", "8 uur 's avonds"), read by the date grammar. */
export function spokenTime(mention: Mention, lang: string | null): TimeMention | null {
  const end = mention.index + mention.length
  const rest = mention.line.text.slice(end, end + WINDOW)
  const spoken = SPOKEN.exec(rest)
  if (spoken === null) return null
  const read = parseDateText(`${mention.date}${rest}`, { ref: mention.date, lang })
  if (read === null || !read.start.startsWith(`${mention.date}T`)) return null
  return {
    start: read.start.slice(11, 16),
    end: null,
    index: end + spoken.index,
    length: spoken[0].length,
  }
}

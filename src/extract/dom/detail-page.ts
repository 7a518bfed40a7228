import type { PageLines } from './lines.ts'
import type { Mention } from './mentions.ts'
import type { DatedRecord } from './records.ts'
import { scanDates } from './date-scan.ts'

const LINES_BELOW_HEADING = 5
const DETAIL_LINES = 60

/**
 * A page about one event: its title names the date, or the date with its hour stands right under the main
 * heading and nowhere else in that way. Dates further down are then part of its story.
 */
export function detailMention(
  page: PageLines,
  mentions: Mention[],
  pageTitle: string,
): DatedRecord | null {
  const clear = mentions.filter(
    (mention) => mention.weight === 'clear' && mention.line.zone === 'main',
  )
  const named = namedByTitle(clear, pageTitle)
  const heading = page.lines.find(
    (line) => line.heading === 1 && line.zone === 'main' && line.text.length > 3,
  )
  const found = named ?? (heading === undefined ? null : underHeading(page, clear, heading.index))
  if (found === null) return null
  const same = mentions.filter(
    (mention) => mention.date === found.date && mention.line.zone === 'main',
  )
  const start =
    heading !== undefined && heading.index <= found.line.index
      ? heading.index
      : found.line.index - 4
  const from = Math.max(0, start, found.line.index - 8)
  return {
    root: null,
    from,
    to: Math.min(page.lines.length, found.line.index + DETAIL_LINES),
    mentions: [found, ...same.filter((mention) => mention !== found)],
    clip: null,
    isPage: true,
    signature: found.signature,
  }
}

function namedByTitle(clear: Mention[], pageTitle: string): Mention | null {
  const inTitle = scanDates(pageTitle, 'en')
  const [date] = inTitle
  if (inTitle.length !== 1 || date === undefined) return null
  return (
    clear.find(
      (mention) =>
        mention.written.month === date.month &&
        mention.written.day === date.day &&
        mention.time !== null,
    ) ??
    clear.find(
      (mention) => mention.written.month === date.month && mention.written.day === date.day,
    ) ??
    null
  )
}

function underHeading(page: PageLines, clear: Mention[], heading: number): Mention | null {
  const found = clear.find(
    (mention) =>
      mention.line.index > heading && mention.line.index <= heading + LINES_BELOW_HEADING,
  )
  if (found === undefined || headsAnother(page, heading, found)) return null
  const alike = clear.filter((mention) => mention.signature === found.signature)
  const dates = new Set(alike.map((mention) => mention.date))
  const others = new Set(
    clear.filter((mention) => mention.time !== null).map((mention) => mention.date),
  )
  others.delete(found.date)
  return dates.size === 1 && others.size < 3 ? found : null
}

/** A lower heading that leads to another page stands between: the date is of what it leads to. */
function headsAnother(page: PageLines, heading: number, found: Mention): boolean {
  return page.lines
    .slice(heading + 1, found.line.index)
    .some((line) => line.heading > 1 && line.links.length > 0 && line.zone === 'main')
}

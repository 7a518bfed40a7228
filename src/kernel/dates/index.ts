// Dates in running text: an own grammar for Dutch, English and their neighbours, a library for the rest.
import { formatDay, formatMinute } from './calendar.ts'
import { type Context, contextFor } from './context.ts'
import { type Found, type Moment, readExpression } from './expression.ts'
import { findWithLibrary } from './fallback.ts'
import { NOTHING } from './lexicon.ts'
import type { Token } from './tokens.ts'
import type { DateMatch, DateOptions } from './types.ts'

export type { DateMatch, DateOptions } from './types.ts'
export { isoLocal, toInstant } from './zones.ts'

/** Below this a match needs the whole text to itself: "3-5" is a score, "mei" a name. */
const SURE_ENOUGH = 0.4
/** A list of dates often names the year only at its end; that alone does not make the last one the date. */
const CLEARLY_BETTER = 0.25
/** The library is slow and eager, so it only sees short texts. */
const LIBRARY_MAX_CHARS = 160

/** The date a short text states, or null. Of several the first, unless a later one is told more completely. */
export function parseDateText(text: string, options: DateOptions): DateMatch | null {
  let best: DateMatch | null = null
  for (const match of findDates(text, options)) {
    if (best === null || match.certainty > best.certainty + CLEARLY_BETTER) best = match
  }
  return best
}

/** Every date in a text, in order. */
export function findDates(text: string, options: DateOptions): DateMatch[] {
  const c = contextFor(text, options)
  const loud = loudSpan(c)
  const matches: DateMatch[] = []
  for (let i = 0; i < c.tokens.length;) {
    const found = canBegin(c, i) ? readExpression(c, i, options.vagueHours === true) : null
    const whole = found !== null && i <= loud.first && found.next > loud.last
    if (found !== null && (whole || found.certainty >= SURE_ENOUGH)) {
      matches.push(toMatch(text, c, i, found))
      i = found.next
    } else {
      i++
    }
  }
  if (matches.length > 0 || text.length > LIBRARY_MAX_CHARS || !/\S/.test(text)) return matches
  return findWithLibrary(text, options)
}

/** Connecting words only begin a date when something that can be one follows soon; this keeps long texts cheap. */
function canBegin(c: Context, i: number): boolean {
  const token = c.tokens[i]
  if (
    token === undefined ||
    token.kind === 'mark' ||
    (token.kind === 'word' && token.means === NOTHING)
  )
    return false
  if (isBearing(token)) return true
  for (let j = i + 1; j <= i + 4; j++) {
    const next = c.tokens[j]
    if (next !== undefined && isBearing(next)) return true
  }
  return false
}

function isBearing({ kind, means }: Token): boolean {
  if (kind !== 'word') return kind === 'number'
  return (
    means.month !== undefined ||
    means.weekday !== undefined ||
    means.offset !== undefined ||
    means.cardinal !== undefined ||
    means.ordinal !== undefined ||
    means.unit !== undefined ||
    means.which !== undefined ||
    means.part !== undefined ||
    means.clock !== undefined ||
    means.holiday !== undefined ||
    means.half === true ||
    means.phrase === true
  )
}

/** First and last token that say something: a weak match must span both. */
function loudSpan(c: Context): { first: number; last: number } {
  const loud = (token: Token): boolean => token.kind !== 'mark' && token.means.glue !== true
  return { first: c.tokens.findIndex(loud), last: c.tokens.findLastIndex(loud) }
}

function toMatch(text: string, c: Context, i: number, found: Found): DateMatch {
  const first = c.tokens[i]
  const last = c.tokens[found.next - 1]
  const index = first?.start ?? 0
  const match: DateMatch = {
    start: format(found.start),
    end: found.end === null ? null : format(found.end),
    allDay: found.start.minute === null,
    certainty: Math.round(found.certainty * 100) / 100,
    text: text.slice(index, last?.end ?? text.length),
    index,
  }
  if (found.offset !== undefined) match.offset = found.offset
  return match
}

function format(moment: Moment): string {
  const date = formatDay(moment.day)
  return moment.minute === null ? date : `${date}T${formatMinute(moment.minute)}`
}

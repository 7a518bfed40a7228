// Dates in running text: an own grammar for Dutch, English and their neighbours, a library for the rest.
import { formatDay, formatMinute } from './calendar.ts'
import { type Context, contextFor } from './context.ts'
import { type Found, type Moment, readExpression } from './expression.ts'
import { findWithLibrary } from './fallback.ts'
import type { Token } from './tokens.ts'
import type { DateMatch, DateOptions } from './types.ts'

export type { DateMatch, DateOptions } from './types.ts'
export { isoLocal, toInstant } from './zones.ts'

/** Below this a match needs the whole text to itself: "3-5" is a score, "mei" a name. */
const SURE_ENOUGH = 0.4
/** The library is slow and eager, so it only sees short texts. */
const LIBRARY_MAX_CHARS = 160

/** The date a short text states, or null. Several dates: the one told most completely. */
export function parseDateText(text: string, options: DateOptions): DateMatch | null {
  let best: DateMatch | null = null
  for (const match of findDates(text, options)) {
    if (best === null || match.certainty > best.certainty + 0.001) best = match
  }
  return best
}

/** Every date in a text, in order. */
export function findDates(text: string, options: DateOptions): DateMatch[] {
  const c = contextFor(text, options)
  const matches: DateMatch[] = []
  for (let i = 0; i < c.tokens.length;) {
    const found = canBegin(c, i) ? readExpression(c, i, options.vagueHours === true) : null
    if (found !== null && (found.certainty >= SURE_ENOUGH || coversAll(c, i, found.next))) {
      matches.push(toMatch(text, c, i, found))
      i = found.next
    } else {
      i = found === null ? i + 1 : Math.max(i + 1, Math.min(found.next, i + 2))
    }
  }
  if (matches.length > 0 || text.length > LIBRARY_MAX_CHARS || !/\S/.test(text)) return matches
  return findWithLibrary(text, options)
}

function canBegin(c: Context, i: number): boolean {
  const token = c.tokens[i]
  if (token === undefined) return false
  if (token.kind === 'number') return true
  if (token.kind === 'mark') return false
  return token.text === 't' || token.text === 'w' || isMeaningful(token)
}

function isMeaningful(token: Token): boolean {
  for (const _ in token.means) return true
  return /^(?:now|nu|asap|zo|right|as|for|rest|earlier|eerder|q|k|h|two|tweeduizend|a|an|new|st|saint|black|labor|labour|memorial|boxing|mother|mothers|father|fathers|good|goede|earth|king|kings|valentine|valentines|independence|veterans|jubilee|moederdag|vaderdag|cyber|martin|carnaval|prinsjesdag|palm|ash|oud|driekoningen)$/.test(
    token.text,
  )
}

/** Nothing but marks and connecting words around the match. */
function coversAll(c: Context, from: number, to: number): boolean {
  const quiet = (token: Token): boolean => token.kind === 'mark' || token.means.glue === true
  return c.tokens.every((token, i) => (i >= from && i < to) || quiet(token))
}

function toMatch(text: string, c: Context, i: number, found: Found): DateMatch {
  const first = c.tokens[i]
  const last = c.tokens[found.next - 1]
  const index = first?.start ?? 0
  return {
    start: format(found.start),
    end: found.end === null ? null : format(found.end),
    allDay: found.start.minute === null,
    certainty: Math.round(found.certainty * 100) / 100,
    text: text.slice(index, last?.end ?? text.length),
    index,
  }
}

function format(moment: Moment): string {
  const date = formatDay(moment.day)
  return moment.minute === null ? date : `${date}T${formatMinute(moment.minute)}`
}

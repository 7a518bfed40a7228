// Dates in running text: own Dutch and English grammar first, a library for the rest.
import { findWithLibrary } from './fallback.ts'
import type { DateMatch, DateOptions } from './types.ts'

export type { DateMatch, DateOptions } from './types.ts'
export { isoLocal, toInstant } from './zones.ts'

/** The date a short text states, or null. */
export function parseDateText(text: string, options: DateOptions): DateMatch | null {
  return findDates(text, options)[0] ?? null
}

/** Every date in a text, in order. */
export function findDates(text: string, options: DateOptions): DateMatch[] {
  return findWithLibrary(text, options)
}

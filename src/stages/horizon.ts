import { dayMs } from './kinds.ts'
import type { Range } from './range.ts'

/** Before the horizon only whole days (UTC) are known: a range that reaches there is widened to them. */
export function alignToHorizon(range: Range, horizon: Date | null): Range {
  if (horizon === null || range.from >= horizon) return range
  const from = new Date(Math.floor(range.from.getTime() / dayMs) * dayMs)
  const to =
    range.to >= horizon ? range.to : new Date(Math.ceil(range.to.getTime() / dayMs) * dayMs)
  return { ...range, from, to }
}

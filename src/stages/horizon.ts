import type { Tx } from '../db/pool.ts'
import { dayMs } from './kinds.ts'
import type { Range } from './range.ts'

/** Before the horizon only whole days (UTC) are known: a range that reaches there is widened to them. */
export async function alignToHorizon(tx: Tx, range: Range): Promise<Range> {
  const [row] = await tx<{ rows_from: Date | null }[]>`
    select nullif(rows_from, '-infinity') as rows_from from stage_horizon`
  const horizon = row?.rows_from ?? null
  if (horizon === null || range.from >= horizon) return range
  const from = new Date(Math.floor(range.from.getTime() / dayMs) * dayMs)
  const to =
    range.to >= horizon ? range.to : new Date(Math.ceil(range.to.getTime() / dayMs) * dayMs)
  return { ...range, from, to }
}

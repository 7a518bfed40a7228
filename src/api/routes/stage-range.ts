import { z } from 'zod'
import type { Tx } from '../../db/pool.ts'
import { findStageSources } from '../../stages/funnel.ts'
import { alignToHorizon } from '../../stages/horizon.ts'
import { isTimeZone, periods, resolveRange, type Range } from '../../stages/range.ts'
import type { Snapshot } from '../../stages/snapshot.ts'
import { invalid } from '../problem.ts'

const longestDays = 366 * 5

/** What every question about stage events may say about time and source. */
export const rangeQuery = z.object({
  period: z.enum(periods).optional().describe('today unless from is given'),
  from: z.iso.datetime({ offset: true }).optional().describe('start of a range of your own'),
  to: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('its end, not included; now unless given'),
  source: z.string().min(1).max(300).optional().describe('id or name of a source'),
  tz: z
    .string()
    .max(100)
    .default('UTC')
    .refine(isTimeZone, 'is not a time zone such as Europe/Amsterdam')
    .describe('zone whose midnight begins a day'),
})

export type RangeQueryValues = z.infer<typeof rangeQuery>

export function rangeOf(snapshot: Snapshot, query: RangeQueryValues): Range {
  const range = resolveRange(
    {
      period: query.period,
      from: query.from === undefined ? undefined : new Date(query.from),
      to: query.to === undefined ? undefined : new Date(query.to),
      timezone: query.tz,
    },
    snapshot.now,
  )
  if (range.from > range.to) throw invalid([{ field: 'to', message: 'is before from' }])
  if (range.to.getTime() - range.from.getTime() > longestDays * 86_400_000)
    throw invalid([{ field: 'from', message: 'is more than five years before to' }])
  return alignToHorizon(range, snapshot.horizon)
}

export async function sourcesOf(tx: Tx, source: string | undefined): Promise<number[] | null> {
  return source === undefined ? null : await findStageSources(tx, source)
}

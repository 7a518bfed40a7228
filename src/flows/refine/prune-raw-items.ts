import type { Duty } from '../../db/leader.ts'
import type { Sql } from '../../db/pool.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { startLoop } from '../../kernel/loop.ts'
import { normalizeStage } from './refine-items.ts'

export interface PruneDeps {
  sql: Sql
  clock: Clock
  log: Log
  retentionDays: number
}

const everyMs = 3_600_000
const batchSize = 5000

/** Drops raw items that were read long ago, and the notes where they ended. */
export function startRawItemPruner(deps: PruneDeps): Duty {
  return startLoop({
    name: 'raw item retention',
    everyMs,
    log: deps.log,
    runOnce: async () => ((await pruneRawItems(deps)) === batchSize ? 'again' : undefined),
  })
}

/** One batch. What still waits stays, and what an open dead letter may put back. */
export async function pruneRawItems({
  sql,
  clock,
  log,
  retentionDays,
}: PruneDeps): Promise<number> {
  const before = new Date(clock.now().getTime() - retentionDays * 86_400_000)
  const [row] = await sql<{ dropped: number }[]>`
    with old as (
      select id from raw_items r
      where created_at < ${before} and (status = 'normalized' or (status = 'failed' and not exists (
        select 1 from dead_letters d where d.stage = ${normalizeStage} and d.subject = r.id::text
          and d.status in ('pending', 'retrying'))))
      order by id limit ${batchSize}),
    notes as (delete from staged_items where raw_item_id in (select id from old)),
    dropped as (delete from raw_items where id in (select id from old) returning 1)
    select count(*)::int as dropped from dropped`
  const dropped = row?.dropped ?? 0
  if (dropped > 0) log.info({ dropped }, 'dropped old raw items')
  return dropped
}

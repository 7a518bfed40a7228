import type { Duty } from '../db/leader.ts'
import type { Db, Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop } from '../kernel/loop.ts'
import { dayMs, hourMs, stageNumber } from '../stages/kinds.ts'
import { recordMissing } from '../stages/missing.ts'
import type { Outage, ReconciledStage, StageReport } from '../stages/report.ts'
import { truthSources, type TruthSource } from '../stages/truth.ts'

const batchRows = 500

/**
 * Compares one day (UTC) of stage events with the tables of the work itself, in one state of the database: work and its
 * events are written together, so the day that is under way adds up too.
 */
export async function reconcileDay(sql: Sql, day: string): Promise<StageReport> {
  const range = rangeOfDay(day)
  return await sql.begin('isolation level repeatable read read only', async (tx) => {
    const stages: ReconciledStage[] = []
    for (const truth of truthSources) stages.push(await compare(tx, truth, range))
    return { day, stages }
  })
}

/** Records what the day's rows should have said and did not; gives how many events per stage were added. */
export async function replayDay(sql: Sql, day: string): Promise<Map<string, number>> {
  const range = rangeOfDay(day)
  const added = new Map<string, number>()
  for (const truth of truthSources) {
    let after = '0'
    for (;;) {
      const rows = await truth.page(sql, range, after, batchRows)
      if (rows.length === 0) break
      after = rows.at(-1)?.id ?? after
      const created = await recordMissing(sql, truth, rows, { replayed: true })
      added.set(truth.stage, (added.get(truth.stage) ?? 0) + created)
    }
  }
  return added
}

/** Every day shortly after midnight: yesterday is compared, and unexpected gaps are closed. */
export function startStageReconciler(deps: { sql: Sql; clock: Clock; log: Log }): Duty {
  const { sql, clock, log } = deps
  let done: string | null = null
  return startLoop({
    name: 'reconcile stages',
    everyMs: hourMs,
    log,
    runOnce: async () => {
      const yesterday = new Date(clock.now().getTime() - dayMs).toISOString().slice(0, 10)
      if (done === yesterday) return
      const report = await reconcileDay(sql, yesterday)
      const gaps = report.stages.filter((stage) => stage.status === 'UNEXPECTED' && stage.delta < 0)
      if (gaps.length > 0) {
        const added = await replayDay(sql, yesterday)
        log.warn(
          {
            day: yesterday,
            gaps: gaps.map(({ stage, delta }) => ({ stage, delta })),
            added: Object.fromEntries(added),
          },
          'stage events were missing and have been recorded',
        )
      }
      done = yesterday
    },
  })
}

async function compare(
  db: Db,
  truth: TruthSource,
  range: { from: Date; to: Date },
): Promise<ReconciledStage> {
  const source = await truth.count(db, range.from, range.to)
  const pipeline = await countEvents(db, truth, range)
  const delta = pipeline - source
  const outage = delta < 0 ? await findOutage(db, truth, range) : null
  const status = delta === 0 ? 'OK' : outage === null ? 'UNEXPECTED' : 'EXPECTED'
  return {
    stage: truth.stage,
    pipeline,
    source,
    delta,
    status,
    outage,
    table: truth.table,
    query: truth.query,
  }
}

async function countEvents(
  db: Db,
  truth: TruthSource,
  { from, to }: { from: Date; to: Date },
): Promise<number> {
  const [row] = await db<{ n: number }[]>`
    select count(*)::float8 as n from stage_events
    where occurred_at >= ${from} and occurred_at < ${to} and stage = ${stageNumber(truth.stage)}
      and service_id = (select id from stage_services where name = ${truth.serviceName})`
  return row?.n ?? 0
}

async function findOutage(
  db: Db,
  truth: TruthSource,
  { from, to }: { from: Date; to: Date },
): Promise<Outage | null> {
  const [row] = await db<Outage[]>`
    select reason, began_at, ended_at from stage_outages
    where (stage is null or stage = ${stageNumber(truth.stage)})
      and began_at < ${to} and coalesce(ended_at, 'infinity') > ${from}
    order by began_at limit 1`
  return row ?? null
}

function rangeOfDay(day: string): { from: Date; to: Date } {
  const from = new Date(`${day}T00:00:00Z`)
  return { from, to: new Date(from.getTime() + dayMs) }
}

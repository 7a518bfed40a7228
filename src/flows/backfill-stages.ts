import type { Db, Sql } from '../db/pool.ts'
import { oldestKept, createPartitionsFor } from '../stages/partitions.ts'
import { recordMissing } from '../stages/missing.ts'
import { truthSources, type TruthSource } from '../stages/truth.ts'

export interface BackfillProgress {
  name: string
  done: number
  total: number
  created: number
}

export interface BackfillOptions {
  now: Date
  retentionMonths: number
  /** Starts over instead of going on where the last one stopped. */
  restart?: boolean
  signal?: AbortSignal
  onProgress?: (progress: BackfillProgress) => void
}

const batchRows = 500

/**
 * Records events for history that has none, table by table. Each batch and its position commit one after the other;
 * a batch that is done again changes nothing, so it may be stopped at any time and goes on where it was.
 */
export async function backfillStages(
  sql: Sql,
  options: BackfillOptions,
): Promise<BackfillProgress[]> {
  const range = { from: oldestKept(options.now, options.retentionMonths), to: options.now }
  await createPartitionsFor(sql, range.from, range.to)
  const results: BackfillProgress[] = []
  for (const truth of truthSources) results.push(await backfillTable(sql, truth, range, options))
  return results
}

async function backfillTable(
  sql: Sql,
  truth: TruthSource,
  range: { from: Date; to: Date },
  options: BackfillOptions,
): Promise<BackfillProgress> {
  const name = `${truth.table}:${truth.stage}`
  if (options.restart) await sql`delete from stage_backfills where name = ${name}`
  const total = await truth.count(sql, range.from, range.to)
  let { position, done, created } = await readPosition(sql, name)
  const report = (): BackfillProgress => ({ name, done, total: Math.max(total, done), created })
  options.onProgress?.(report())
  while (!options.signal?.aborted) {
    const rows = await truth.page(sql, range, position, batchRows)
    if (rows.length === 0) {
      await sql`update stage_backfills set finished_at = ${options.now} where name = ${name}`
      break
    }
    created += await recordMissing(sql, truth, rows, { backfilled: true })
    done += rows.length
    position = rows.at(-1)?.id ?? position
    await savePosition(sql, name, position, done, created)
    options.onProgress?.(report())
  }
  return report()
}

async function readPosition(
  db: Db,
  name: string,
): Promise<{ position: string; done: number; created: number }> {
  const [row] = await db<{ position: string; done: number; created: number }[]>`
    select position, done::float8 as done, created::float8 as created from stage_backfills where name = ${name}`
  return row ?? { position: '0', done: 0, created: 0 }
}

async function savePosition(
  db: Db,
  name: string,
  position: string,
  done: number,
  created: number,
): Promise<void> {
  await db`
    insert into stage_backfills (name, position, done, created)
    values (${name}, ${position}, ${done}, ${created})
    on conflict (name) do update
    set position = excluded.position, done = excluded.done, created = excluded.created, updated_at = now()`
}

import { transaction, type Db, type Sql } from '../db/pool.ts'
import { addressOf } from './event.ts'
import { stageNumber } from './kinds.ts'
import { recordStage, type StageEvent } from './record.ts'
import type { TruthRow, TruthSource } from './truth.ts'

/** An event and its row may differ by this much: they were written by one transaction. */
const sameMomentMs = 2 * 60_000

/** Records the events that rows should have and do not; gives how many there were. Doing it again changes nothing. */
export async function recordMissing(
  sql: Sql,
  truth: TruthSource,
  rows: readonly TruthRow[],
  mark: Record<string, unknown>,
): Promise<number> {
  const present = await findPresent(sql, truth, rows)
  const missing = rows.filter((row) => !present.has(row.id))
  const known = await knownAddresses(sql, missing)
  const outcomes = await transaction(sql, (tx) =>
    recordStage(
      tx,
      missing.map((row) => eventOf(truth, row, known, mark)),
    ),
  )
  return outcomes.filter((outcome) => outcome === 'created').length
}

function eventOf(
  truth: TruthSource,
  row: TruthRow,
  known: ReadonlySet<string>,
  mark: Record<string, unknown>,
): StageEvent {
  return {
    url: row.urls.find((url) => known.has(addressOf(url).hash)) ?? row.urls.at(-1) ?? '',
    source: { id: row.sourceId, name: row.sourceName },
    stage: truth.stage,
    occurredAt: row.at,
    serviceName: truth.serviceName,
    idempotencyKey: row.key ?? `${truth.table}:${truth.stage}:${row.id}`,
    metadata: { ...row.metadata, ...mark },
  }
}

async function knownAddresses(db: Db, rows: readonly TruthRow[]): Promise<Set<string>> {
  const hashes = rows.flatMap((row) => row.urls.map((url) => addressOf(url).hash))
  const found = await db<{ hash: string }[]>`
    select encode(url_hash, 'hex') as hash from stage_articles
    where url_hash = any(array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash))`
  return new Set(found.map((row) => row.hash))
}

/** Rows that have an event of their article, stage and time; one event stands for one row. */
async function findPresent(
  db: Db,
  truth: TruthSource,
  rows: readonly TruthRow[],
): Promise<Set<string>> {
  const wanted = rows
    .filter((row) => row.key === undefined)
    .flatMap((row) =>
      row.urls.map((url) => ({ id: row.id, at: row.at, hash: addressOf(url).hash })),
    )
  if (wanted.length === 0) return new Set()
  const found = await db<{ id: string; event_id: string }[]>`
    select g.id, e.id as event_id
    from unnest(
      ${wanted.map((row) => row.id)}::text[],
      ${wanted.map((row) => row.hash)}::text[],
      ${wanted.map((row) => row.at.toISOString())}::timestamptz[]
    ) as g (id, hash, at)
    join stage_articles a on a.url_hash = decode(g.hash, 'hex')
    join stage_events e on e.article_id = a.id and e.stage = ${stageNumber(truth.stage)}
      and e.occurred_at between g.at - make_interval(secs => ${sameMomentMs / 1000})
        and g.at + make_interval(secs => ${sameMomentMs / 1000})
    order by abs(extract(epoch from e.occurred_at - g.at))`
  const present = new Set<string>()
  const taken = new Set<string>()
  for (const { id, event_id } of found) {
    if (present.has(id) || taken.has(event_id)) continue
    present.add(id)
    taken.add(event_id)
  }
  return present
}

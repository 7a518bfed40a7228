import { numberArray, textArray } from '../../db/arrays.ts'
import type { Tx } from '../../db/pool.ts'
import type { RawItem } from '../../extract/types.ts'
import type { StageRow } from './stage.ts'

export interface RawRow extends StageRow {
  sourceId: string
  runId: string | null
  pageId: string | null
  urlHash: string | null
  kind: string
  strategy: string
  item: RawItem
  createdAt: Date
  pageUrl: string | null
  fetchedAt: Date | null
  frontierId: string | null
  /** Other events of the same page carry the same address. */
  urlShared: boolean
}

/** So few are always taken together, so that a batch mixes them. */
const fewestSources = 8

/** Locks of sources in the middle of refinement share this first number. */
const sourceLocks = 0x7266 // "rf"

/**
 * Up to `limit` waiting items, a fair share of every source that has some. A source is in one pair of hands at a time,
 * so its items keep their order and no two workers decide about the same item.
 */
export async function claimRaw(
  tx: Tx,
  wanted: { now: Date; limit: number; only?: readonly string[] },
  turn: { after: string },
): Promise<RawRow[]> {
  if (wanted.only !== undefined) return claimNamed(tx, wanted.only)
  let waiting = await waitingSources(tx, wanted.now, turn.after, wanted.limit)
  if (waiting.length === 0 && turn.after !== firstSource)
    waiting = await waitingSources(tx, wanted.now, firstSource, wanted.limit)
  if (waiting.length === 0) return []
  // Half of them: the other loop, here or on another machine, finds work at the same time.
  const mine = await tx<{ id: string }[]>`
    select id from unnest(${waiting}::uuid[]) as id where pg_try_advisory_xact_lock(${sourceLocks}, hashtext(id::text))
    limit ${Math.max(fewestSources, Math.ceil(waiting.length / 2))}`
  turn.after = mine.at(-1)?.id ?? firstSource
  if (mine.length === 0) return []
  const share = Math.max(1, Math.ceil(wanted.limit / mine.length))
  return tx<RawRow[]>`
    select ${columns(tx)}
    from (select r.id from unnest(${mine.map((row) => row.id)}::uuid[]) as s(id)
      cross join lateral (
        select id from raw_items where source_id = s.id and status = 'pending' and next_attempt_at <= ${wanted.now}
        order by id limit ${share} for update skip locked) r
      limit ${wanted.limit}) c
    join raw_items r on r.id = c.id left join pages p on p.id = r.page_id
    order by r.id`
}

export async function finishRaw(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx`
    update raw_items set status = 'normalized', attempts = 0, reason = null where id = any(${numberArray(ids)}::bigint[])`
}

/** Given up, with the reason. */
export async function failRaw(
  tx: Tx,
  rows: readonly { id: string; attempts: number; reason: string }[],
): Promise<void> {
  await tx`
    update raw_items r set status = 'failed', attempts = m.attempts, reason = m.reason
    from unnest(${numberArray(rows.map((row) => row.id))}::bigint[], ${numberArray(rows.map((row) => row.attempts))}::smallint[],
      ${textArray(rows.map((row) => row.reason))}::text[]) as m(id, attempts, reason)
    where r.id = m.id`
}

export async function postponeRaw(
  tx: Tx,
  rows: readonly { id: string; attempts: number; nextAttemptAt: Date; reason: string }[],
): Promise<void> {
  await tx`
    update raw_items r set attempts = m.attempts, next_attempt_at = m.at, reason = m.reason
    from jsonb_to_recordset(${tx.json(
      rows.map(({ id, attempts, nextAttemptAt, reason }) => ({
        id,
        attempts,
        at: nextAttemptAt,
        reason,
      })),
    )}) as m(id bigint, attempts smallint, at timestamptz, reason text)
    where r.id = m.id`
}

const firstSource = '00000000-0000-0000-0000-000000000000'

/** Sources with waiting items, after the last one of the previous round; found by leaps over the index. */
async function waitingSources(tx: Tx, now: Date, after: string, limit: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    with recursive s(id, n) as (
      (select source_id, 1 from raw_items where status = 'pending' and next_attempt_at <= ${now} and source_id > ${after}
        order by source_id limit 1)
      union all
      select (select r.source_id from raw_items r where r.status = 'pending' and r.next_attempt_at <= ${now}
        and r.source_id > s.id order by r.source_id limit 1), n + 1
      from s where s.id is not null and n < ${limit})
    select id from s where id is not null`
  return rows.map((row) => row.id)
}

/** Part of a batch that failed as a whole; waits for the sources instead of skipping them. */
async function claimNamed(tx: Tx, ids: readonly string[]): Promise<RawRow[]> {
  await tx`
    select pg_advisory_xact_lock(${sourceLocks}, lock) from (
      select distinct hashtext(source_id::text) as lock from raw_items where id = any(${[...ids]}::bigint[]) order by 1) l`
  return tx<RawRow[]>`
    select ${columns(tx)}
    from (select id from raw_items where id = any(${[...ids]}::bigint[]) and status = 'pending' for update skip locked) c
    join raw_items r on r.id = c.id left join pages p on p.id = r.page_id
    order by r.id`
}

function columns(tx: Tx) {
  return tx`
    r.id, r.attempts, r.source_id as "sourceId", r.run_id as "runId", r.page_id as "pageId",
    encode(r.url_hash, 'hex') as "urlHash", r.kind, r.strategy, r.item, r.created_at as "createdAt",
    p.final_url as "pageUrl", p.fetched_at as "fetchedAt", p.frontier_id as "frontierId",
    r.page_id is not null and r.kind = 'calendar_event' and exists (
      select 1 from raw_items o where o.page_id = r.page_id and o.source_id = r.source_id and o.url_hash = r.url_hash
        and o.kind = r.kind and o.id <> r.id) as "urlShared"`
}

import type { Tx } from '../../db/pool.ts'
import type { ItemKind } from '../types.ts'
import type { ComparableEvent } from './compare-events.ts'
import type { DedupKey } from './keys.ts'

export interface ComparableArticle {
  id: string
  sourceId: string
  title: string
  signature: string | null
  publishedAt: Date
  wordCount: number
}

export interface QueueRow {
  id: string
  attempts: number
  itemId: string
  kind: ItemKind
  sourceId: string
}

/** One process at a time looks for duplicates: two that did so at once would not see each other's items. */
const dedupLock = 0x6470 // "dp"

export async function claimDedup(
  tx: Tx,
  wanted: { now: Date; limit: number; only?: readonly string[] },
): Promise<QueueRow[]> {
  const [lock] = await tx<
    { mine: boolean }[]
  >`select pg_try_advisory_xact_lock(${dedupLock}, 0) as mine`
  if (lock?.mine !== true) return []
  return tx<QueueRow[]>`
    select id, attempts, item_id as "itemId", kind, source_id as "sourceId" from dedup_queue
    where next_attempt_at <= greatest(${wanted.now}, now())
      and ${wanted.only === undefined ? tx`true` : tx`id = any(${[...wanted.only]}::bigint[])`}
    order by id limit ${wanted.limit} for update skip locked`
}

export async function doneDedup(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`delete from dedup_queue where id = any(${[...ids]}::bigint[])`
}

export async function postponeDedup(
  tx: Tx,
  rows: readonly { id: string; attempts: number; nextAttemptAt: Date }[],
): Promise<void> {
  const data = rows.map(({ id, attempts, nextAttemptAt }) => ({ id, attempts, at: nextAttemptAt }))
  await tx`
    update dedup_queue q set attempts = d.attempts, next_attempt_at = d.at
    from jsonb_to_recordset(${tx.json(data)}) as d(id bigint, attempts smallint, at timestamptz) where q.id = d.id`
}

export async function loadEvents(tx: Tx, ids: readonly string[]): Promise<ComparableEvent[]> {
  return tx<ComparableEvent[]>`
    select id, source_id as "sourceId", title, left(description, 600) as description, starts_at as "startsAt",
      ends_at as "endsAt", event_date::text as "eventDate", event_time as "eventTime", venue_name as "venueName",
      address, city, lat, lng, geo_precision as precision
    from calendar_events where id = any(${[...ids]}::uuid[])`
}

export async function loadArticles(tx: Tx, ids: readonly string[]): Promise<ComparableArticle[]> {
  return tx<ComparableArticle[]>`
    select id, source_id as "sourceId", title, encode(signature, 'hex') as signature, sort_at as "publishedAt",
      word_count as "wordCount"
    from articles where id = any(${[...ids]}::uuid[])`
}

/** Replaces the keys of items and gives, for each, the other items found under any of its look-up keys. */
export async function findCandidates(
  tx: Tx,
  items: readonly { id: string; store: readonly DedupKey[]; lookUp: readonly DedupKey[] }[],
): Promise<Map<string, Set<string>>> {
  const ids = items.map((item) => item.id)
  await tx`delete from dedup_keys where item_id = any(${ids}::uuid[])`
  const stored = items.flatMap(({ id, store }) =>
    store.map(({ day, key }) => ({ d: day, k: String(key), i: id })),
  )
  await tx`
    insert into dedup_keys (day, key, item_id)
    select distinct d, k, i from jsonb_to_recordset(${tx.json(stored)}) as s(d int, k bigint, i uuid)
    on conflict do nothing`
  const wanted = items.flatMap(({ id, lookUp }) =>
    lookUp.map(({ day, key }) => ({ d: day, k: String(key), i: id })),
  )
  const rows = await tx<{ item: string; other: string }[]>`
    select distinct w.i as item, k.item_id as other
    from jsonb_to_recordset(${tx.json(wanted)}) as w(d int, k bigint, i uuid)
    join dedup_keys k on k.day = w.d and k.key = w.k
    where k.item_id <> w.i`
  const found = new Map<string, Set<string>>()
  for (const { item, other } of rows) {
    const others = found.get(item)
    if (others === undefined) found.set(item, new Set([other]))
    else others.add(other)
  }
  return found
}

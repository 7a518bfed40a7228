import { numberArray, textArray } from '../../db/arrays.ts'
import type { Tx } from '../../db/pool.ts'
import type { ItemKind } from '../types.ts'
import type { ComparableEvent } from './compare-events.ts'
import type { DedupKey } from './keys.ts'
import { signatureOf, type Signature } from './minhash.ts'

export interface ComparableArticle {
  id: string
  sourceId: string
  title: string
  signature: Signature | null
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
/** A key shared by more says nothing ("the doors open at eight"); real duplicates meet under a rarer one too. */
const mostPerKey = 40

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
  await tx`delete from dedup_queue where id = any(${numberArray(ids)}::bigint[])`
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
    from calendar_events where id = any(${textArray(ids)}::uuid[])`
}

export async function loadArticles(tx: Tx, ids: readonly string[]): Promise<ComparableArticle[]> {
  const rows = await tx<
    (Omit<ComparableArticle, 'signature'> & { signature: Uint8Array | null })[]
  >`
    select id, source_id as "sourceId", title, signature, sort_at as "publishedAt", word_count as "wordCount"
    from articles where id = any(${textArray(ids)}::uuid[])`
  return rows.map((row) => ({
    ...row,
    signature: row.signature === null ? null : signatureOf(row.signature),
  }))
}

/** Replaces the keys of items and gives, for each, the other items found under any of its look-up keys. */
export async function findCandidates(
  tx: Tx,
  items: readonly { id: string; store: readonly DedupKey[]; lookUp: readonly DedupKey[] }[],
): Promise<Map<string, Set<string>>> {
  const ids = items.map((item) => item.id)
  await tx`delete from dedup_keys where item_id = any(${textArray(ids)}::uuid[])`
  // Their old keys are gone and nobody else writes any meanwhile (see the lock): no conflict to look for.
  const stored = flat(items.map(({ id, store }) => ({ id, keys: store })))
  await tx`
    insert into dedup_keys (day, key, item_id)
    select * from unnest(${numberArray(stored.days)}::int[], ${numberArray(stored.keys)}::bigint[],
      ${textArray(stored.ids)}::uuid[])`
  const wanted = flat(items.map(({ id, lookUp }) => ({ id, keys: lookUp })))
  // One row per item: the driver takes a row of two ids longer than the server finds it.
  const rows = await tx<{ item: string; others: string }[]>`
    select w.i as item, string_agg(k.item_id::text, ' ') as others
    from unnest(${numberArray(wanted.days)}::int[], ${numberArray(wanted.keys)}::bigint[],
      ${textArray(wanted.ids)}::uuid[]) as w(d, k, i)
    cross join lateral (
      select item_id from dedup_keys where day = w.d and key = w.k order by item_id desc limit ${mostPerKey}) k
    where k.item_id <> w.i
    group by w.i`
  return new Map(rows.map(({ item, others }) => [item, new Set(others.split(' '))]))
}

/** The keys of many items, each key once per item, column by column. */
function flat(items: readonly { id: string; keys: readonly DedupKey[] }[]): {
  days: number[]
  keys: string[]
  ids: string[]
} {
  const columns = { days: [] as number[], keys: [] as string[], ids: [] as string[] }
  for (const { id, keys } of items) {
    const seen = new Set<string>()
    for (const { day, key } of keys) {
      const text = String(key)
      const once = `${day} ${text}`
      if (seen.has(once)) continue
      seen.add(once)
      columns.days.push(day)
      columns.keys.push(text)
      columns.ids.push(id)
    }
  }
  return columns
}

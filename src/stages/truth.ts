import type { Db } from '../db/pool.ts'
import { foundItemAddress, itemAddress } from './event.ts'
import type { StageName } from './kinds.ts'

/** A row of the work itself that a stage event should stand for. */
export interface TruthRow {
  id: string
  /** The addresses the event may have: the first of them that is known, or the last. */
  urls: string[]
  sourceId: string
  sourceName: string
  at: Date
  metadata: Record<string, unknown>
  /** The key of the event, where it can be told from the row; otherwise it is found by address and time. */
  key?: string
}

export interface TruthSource {
  table: string
  stage: StageName
  serviceName: string
  /** What a person runs to see the rows. */
  query: string
  count(db: Db, from: Date, to: Date): Promise<number>
  /** In the order of ids, after the given one. */
  page(db: Db, range: { from: Date; to: Date }, after: string, limit: number): Promise<TruthRow[]>
}

/** The tables our own stages are checked against and filled up from. Other capabilities add theirs from flows. */
export const truthSources: TruthSource[] = [
  {
    table: 'raw_items',
    stage: 'crawled',
    serviceName: 'crawler',
    query: 'select * from raw_items where created_at >= $1 and created_at < $2',
    count: async (db, from, to) =>
      total(
        await db`select count(*)::float8 as n from raw_items where created_at >= ${from} and created_at < ${to}`,
      ),
    page: async (db, { from, to }, after, limit) => {
      const rows = await db<
        (Row & {
          item_url: string | null
          page_url: string | null
          title: string
          start: string | null
        })[]
      >`
        select r.id, r.source_id, coalesce(s.name, r.source_id::text) as source_name, r.created_at as at,
          r.item ->> 'url' as item_url, p.final_url as page_url, r.item ->> 'title' as title, r.item -> 'calendar' ->> 'start' as start
        from raw_items r left join sources s on s.id = r.source_id left join pages p on p.id = r.page_id
        where r.created_at >= ${from} and r.created_at < ${to} and r.id > ${after}
        order by r.id limit ${limit}`
      return rows.map((row) => ({
        ...common(row),
        urls: [row.item_url ?? foundItemAddress(row.page_url ?? '', row)],
      }))
    },
  },
  {
    table: 'staged_items',
    stage: 'indexed',
    serviceName: 'millrace',
    query:
      "select * from staged_items where staged_at >= $1 and staged_at < $2 and outcome in ('created', 'updated')",
    count: async (db, from, to) =>
      total(
        await db`
        select count(*)::float8 as n from staged_items
        where staged_at >= ${from} and staged_at < ${to} and outcome in ('created', 'updated')`,
      ),
    page: async (db, { from, to }, after, limit) => {
      const rows = await db<ItemRow[]>`
        select t.raw_item_id as id, t.source_id, coalesce(s.name, t.source_id::text) as source_name, t.staged_at as at,
          t.item_id, coalesce(a.url, c.url) as url, p.final_url as page_url,
          r.page_id is not null and r.kind = 'calendar_event' and exists (
            select from raw_items o where o.page_id = r.page_id and o.source_id = r.source_id
              and o.url_hash = r.url_hash and o.kind = r.kind and o.id <> r.id) as shared
        from staged_items t
        left join sources s on s.id = t.source_id
        left join articles a on a.id = t.item_id
        left join calendar_events c on c.id = t.item_id
        left join raw_items r on r.id = t.raw_item_id
        left join pages p on p.id = r.page_id
        where t.staged_at >= ${from} and t.staged_at < ${to} and t.outcome in ('created', 'updated')
          and t.raw_item_id > ${after}
        order by t.raw_item_id limit ${limit}`
      return rows.map(ofItem)
    },
  },
  {
    table: 'classification_history',
    stage: 'classified',
    serviceName: 'classifier',
    query: 'select * from classification_history where classified_at >= $1 and classified_at < $2',
    count: async (db, from, to) =>
      total(
        await db`
        select count(*)::float8 as n from classification_history
        where classified_at >= ${from} and classified_at < ${to}`,
      ),
    page: async (db, { from, to }, after, limit) => {
      const rows = await db<ItemRow[]>`
        select h.id, h.source_id, coalesce(s.name, h.source_id::text) as source_name, h.classified_at as at,
          h.item_id, coalesce(a.url, c.url) as url, false as shared,
          case when coalesce(a.url, c.url) is null then (
            select p.final_url from staged_items t join raw_items r on r.id = t.raw_item_id join pages p on p.id = r.page_id
            where t.item_id = h.item_id order by t.raw_item_id limit 1) end as page_url,
          jsonb_build_object('quality_score', h.quality_score, 'topics', h.topics, 'content_type', h.content_type,
            'model_version', h.model_version, 'is_reclassification', h.is_reclassification,
            'confidence', h.confidence, 'content_hash', h.content_hash) as metadata
        from classification_history h
        left join sources s on s.id = h.source_id
        left join articles a on a.id = h.item_id
        left join calendar_events c on c.id = h.item_id
        where h.classified_at >= ${from} and h.classified_at < ${to} and h.id > ${after}
        order by h.id limit ${limit}`
      return rows.map(ofItem)
    },
  },
  deliveries('routed', 'created_at'),
  deliveries('published', 'delivered_at'),
]

function deliveries(
  stage: 'routed' | 'published',
  column: 'created_at' | 'delivered_at',
): TruthSource {
  const done = stage === 'published' ? " and status = 'delivered'" : ''
  return {
    table: 'deliveries',
    stage,
    serviceName: 'publisher',
    query: `select * from deliveries where ${column} >= $1 and ${column} < $2${done} and change <> 'deleted'`,
    count: async (db, from, to) =>
      total(
        await db`
        select count(*)::float8 as n from deliveries
        where ${db(column)} >= ${from} and ${db(column)} < ${to} and change <> 'deleted' and stage_url is not null
          ${stage === 'published' ? db`and status = 'delivered'` : db``}`,
      ),
    page: async (db, { from, to }, after, limit) => {
      const rows = await db<(Row & { stage_url: string; key: string })[]>`
        select d.id, d.source_id, coalesce(s.name, d.source_id::text) as source_name, d.${db(column)} as at, d.stage_url,
          concat_ws(':', 'publisher', ${stage}::text, d.route_id, d.route_version, d.item_id, d.item_version) as key,
          jsonb_build_object('channel', coalesce(c.name, ''), 'attempt', d.attempts) as metadata
        from deliveries d
        left join sources s on s.id = d.source_id
        left join channels c on c.id = d.channel_id
        where d.${db(column)} >= ${from} and d.${db(column)} < ${to} and d.change <> 'deleted' and d.stage_url is not null
          ${stage === 'published' ? db`and d.status = 'delivered'` : db``} and d.id > ${after}
        order by d.id limit ${limit}`
      return rows.map((row) => ({ ...common(row), urls: [row.stage_url], key: row.key }))
    },
  }
}

interface Row {
  id: string
  source_id: string
  source_name: string
  at: Date
  metadata?: Record<string, unknown>
}

interface ItemRow extends Row {
  item_id: string | null
  url: string | null
  page_url: string | null
  /** Other items have the same address. */
  shared: boolean
}

function common(row: Row): Omit<TruthRow, 'urls'> {
  return {
    id: row.id,
    sourceId: row.source_id,
    sourceName: row.source_name,
    at: row.at,
    metadata: row.metadata ?? {},
  }
}

function ofItem(row: ItemRow): TruthRow {
  const own = itemAddress(row.url ?? row.page_url ?? '', row.item_id ?? row.id)
  return { ...common(row), urls: row.url === null || row.shared ? [own] : [own, row.url] }
}

function total(rows: readonly Record<string, unknown>[]): number {
  return Number(rows[0]?.['n'] ?? 0)
}

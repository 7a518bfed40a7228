import type { Tx } from '../db/pool.ts'
import type { Address } from './event.ts'

/** How far an article has come; the row is locked by whoever reads it here. */
export interface Marks {
  articleId: string
  hash: string
  sourceId: number
  /** Hour of the latest event per lane (index 1 to 6); 0: never. */
  last: number[]
  /** First event per stage, of the stages whose distance is measured (index 1, 3 and 5). */
  first: (Date | null)[]
}

export interface NewArticle extends Address {
  sourceId: number
  firstSeenAt: Date
}

/** In the order of the hash, so that two writers of the same new articles wait for each other instead of deadlocking. */
export async function insertArticles(tx: Tx, articles: NewArticle[]): Promise<void> {
  const sorted = articles.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  await tx`
    with fresh as (
      insert into stage_articles (url, url_hash, domain, source_id, first_seen_at)
      select g.url, decode(g.hash, 'hex'), g.domain, g.source_id, g.first_seen_at
      from unnest(
        ${sorted.map((article) => article.url)}::text[],
        ${sorted.map((article) => article.hash)}::text[],
        ${sorted.map((article) => article.domain)}::text[],
        ${sorted.map((article) => article.sourceId)}::integer[],
        ${sorted.map((article) => article.firstSeenAt.toISOString())}::timestamptz[]
      ) as g (url, hash, domain, source_id, first_seen_at)
      on conflict (url_hash) do nothing
      returning id
    )
    insert into stage_marks (article_id) select id from fresh`
}

interface MarksRow {
  id: string
  hash: string
  source_id: number
  last: number[]
  first_crawled: Date | null
  first_classified: Date | null
  first_published: Date | null
}

export async function lockMarks(tx: Tx, hashes: string[]): Promise<Marks[]> {
  const rows = await tx<MarksRow[]>`
    select a.id, encode(a.url_hash, 'hex') as hash, a.source_id,
      array[0, m.last_crawled, m.last_indexed, m.last_classified, m.last_routed, m.last_published, m.last_initial] as last,
      m.first_crawled, m.first_classified, m.first_published
    from stage_articles a join stage_marks m on m.article_id = a.id
    where a.url_hash = any(array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash))
    order by a.id
    for update of m`
  return rows.map((row) => ({
    articleId: row.id,
    hash: row.hash,
    sourceId: row.source_id,
    last: row.last,
    first: [null, row.first_crawled, null, row.first_classified, null, row.first_published],
  }))
}

/** The hours in which articles were seen at a stage, for those whose new event is older than their latest. */
export async function knownHours(
  tx: Tx,
  late: { articleId: string; stage: number }[],
): Promise<{ article_id: string; stage: number; hour: number; reclassification: boolean }[]> {
  return await tx`
    select distinct e.article_id, e.stage::int,
      floor(extract(epoch from e.occurred_at) / 3600)::int as hour, e.reclassification
    from stage_events e
    where e.article_id = any(${[...new Set(late.map((entry) => entry.articleId))]}::bigint[])
      and e.stage = any(${[...new Set(late.map((entry) => entry.stage))]}::smallint[])`
}

import { numberArray, textArray } from '../db/arrays.ts'
import type { Tx } from '../db/pool.ts'
import type { Address } from './event.ts'

/** How far an article has come; the row is locked by whoever reads it here. */
export interface Marks {
  /** The article came with this batch: it has no row of marks yet. */
  isNew: boolean
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

/**
 * The marks of all articles by hash, locked. A new article gets its row of marks with the first changes to it, in the
 * same transaction: whoever else knows the address waits for that at the article itself.
 */
export async function findMarks(tx: Tx, articles: NewArticle[]): Promise<Map<string, Marks>> {
  // In the order of the hash: two writers of the same new articles wait for each other instead of deadlocking.
  const sorted = articles.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  const marks = new Map((await lockOrInsert(tx, sorted)).map((row) => [row.hash, toMarks(row)]))
  if (marks.size === articles.length) return marks
  // Another writer inserted them after this statement began: they are its rows, visible from the next one on.
  const missing = sorted.filter((article) => !marks.has(article.hash))
  for (const row of await lockMarks(tx, missing)) marks.set(row.hash, toMarks(row))
  return marks
}

interface MarksRow {
  id: string
  hash: string
  source_id: number
  /** Null for a new article. */
  last: number[] | null
  first_crawled: Date | null
  first_classified: Date | null
  first_published: Date | null
}

async function lockOrInsert(tx: Tx, articles: NewArticle[]): Promise<MarksRow[]> {
  return await tx<MarksRow[]>`
    with given as (
      select url, decode(hash, 'hex') as hash, domain, source_id, first_seen_at
      from unnest(
        ${textArray(articles.map((article) => article.url))}::text[],
        ${textArray(articles.map((article) => article.hash))}::text[],
        ${textArray(articles.map((article) => article.domain))}::text[],
        ${numberArray(articles.map((article) => article.sourceId))}::integer[],
        ${textArray(articles.map((article) => article.firstSeenAt.toISOString()))}::timestamptz[]
      ) as g (url, hash, domain, source_id, first_seen_at)
    ), known as materialized (
      select id, url_hash, source_id from stage_articles where url_hash = any(array(select hash from given))
    ), fresh as (
      insert into stage_articles (url, url_hash, domain, source_id, first_seen_at)
      select url, hash, domain, source_id, first_seen_at from given
      where hash not in (select url_hash from known) order by hash
      on conflict (url_hash) do nothing
      returning id, url_hash, source_id
    ), locked as (
      select k.id, k.url_hash, k.source_id, m.*
      from known k join stage_marks m on m.article_id = k.id
      order by k.id
      for update of m
    )
    select id, encode(url_hash, 'hex') as hash, source_id, null::integer[] as last,
      null::timestamptz as first_crawled, null::timestamptz as first_classified, null::timestamptz as first_published
    from fresh
    union all
    select id, encode(url_hash, 'hex'), source_id,
      array[0, last_crawled, last_indexed, last_classified, last_routed, last_published, last_initial],
      first_crawled, first_classified, first_published
    from locked`
}

async function lockMarks(tx: Tx, articles: NewArticle[]): Promise<MarksRow[]> {
  return await tx<MarksRow[]>`
    select a.id, encode(a.url_hash, 'hex') as hash, a.source_id,
      array[0, m.last_crawled, m.last_indexed, m.last_classified, m.last_routed, m.last_published, m.last_initial] as last,
      m.first_crawled, m.first_classified, m.first_published
    from stage_articles a join stage_marks m on m.article_id = a.id
    where a.url_hash = any(array(
      select decode(hash, 'hex') from unnest(${articles.map((article) => article.hash)}::text[]) as hash))
    order by a.id
    for update of m`
}

function toMarks(row: MarksRow): Marks {
  return {
    isNew: row.last === null,
    articleId: row.id,
    hash: row.hash,
    sourceId: row.source_id,
    last: row.last ?? [0, 0, 0, 0, 0, 0, 0],
    first: [null, row.first_crawled, null, row.first_classified, null, row.first_published],
  }
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

import type { Tx } from '../../db/pool.ts'
import { columnArrays } from '../../db/arrays.ts'
import type { Fields } from '../changes.ts'
import { namesOf, vectorsById, type Vectors } from '../search/vectors.ts'
import type { ArticleDraft } from '../types.ts'

export interface ArticleRow {
  id: string
  sourceId: string
  url: string
  urlHash: string
  fingerprint: string
  sight: number
  sightAt: Date
  /** The run it was seen so in. */
  sightRunId: string | null
  rawItemId: string
  runId: string | null
  strategy: string
  confidence: number
  provenance: unknown
  method: string
  enriched: Record<string, [unknown, unknown]>
  /** Hex. */
  signature: string | null
  firstSeenAt: Date
  fields: Fields
}

type StoredRow = ArticleRow & { published_at: Date | null; modified_at: Date | null }

export async function loadArticles(tx: Tx, drafts: readonly ArticleDraft[]): Promise<ArticleRow[]> {
  const keys = drafts.map((draft) => ({ s: draft.sourceId, u: draft.urlHash }))
  const rows = await tx<StoredRow[]>`
    select a.id, source_id as "sourceId", url, encode(url_hash, 'hex') as "urlHash",
      encode(fingerprint, 'hex') as fingerprint, sight, sight_at as "sightAt",
      sight_run_id as "sightRunId", raw_item_id as "rawItemId",
      run_id as "runId", strategy, confidence_score as confidence, provenance, normalization_method as method, enriched,
      encode(signature, 'hex') as signature, first_seen_at as "firstSeenAt", published_at, modified_at,
      jsonb_build_object('title', title, 'description', description, 'text', text, 'markdown', markdown,
        'author', author, 'section', section, 'image_url', image_url, 'language', language, 'tags', tags,
        'word_count', word_count, 'paywalled', paywalled, 'quality_score', quality_score, 'status', status) as fields
    from (select distinct s, decode(u, 'hex') as u from jsonb_to_recordset(${tx.json(keys)}) as k(s uuid, u text)) k
    join articles a on a.source_id = k.s and a.url_hash = k.u
    order by a.id for update of a`
  return rows.map(({ published_at, modified_at, ...row }) => ({
    ...row,
    // The column is a single float: read back it is not the number that was written.
    sight: Math.fround(row.sight),
    fields: {
      ...row.fields,
      published_at: published_at?.toISOString() ?? null,
      modified_at: modified_at?.toISOString() ?? null,
    },
  }))
}

/** The search vectors of articles, by id, for those who write them. */
export async function articleVectors(tx: Tx, rows: readonly ArticleRow[]): Promise<Vectors> {
  return vectorsById(tx, rows, ({ fields }) => ({
    language: String(fields['language']),
    title: String(fields['title']),
    names: namesOf(fields, ['author', 'section']),
    body: `${String(fields['description'])} ${String(fields['text'])}`,
  }))
}

export async function insertArticles(
  tx: Tx,
  rows: readonly ArticleRow[],
  vectors: Vectors,
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into articles (id, source_id, url, url_hash, fingerprint, title, description, text, markdown, author, section,
      published_at, modified_at, image_url, language, tags, word_count, paywalled, quality_score, confidence_score,
      normalization_method, provenance, enriched, strategy, sight, sight_at, sight_run_id, raw_item_id, run_id, signature, sort_at,
      first_seen_at, updated_at, search)
    select id, source_id, url, decode(url_hash, 'hex'), decode(fingerprint, 'hex'), title, description, text, markdown,
      author, section, published_at, modified_at, image_url, language, tags, word_count, paywalled, quality_score,
      confidence_score, normalization_method, provenance, enriched, strategy, sight, sight_at, sight_run_id, raw_item_id, run_id,
      decode(signature, 'hex'), coalesce(published_at, first_seen_at), first_seen_at, ${now},
      coalesce(vector, ${searchOf(tx)})
    from ${recordset(tx, rows, vectors)}`
}

export async function updateArticles(
  tx: Tx,
  rows: readonly ArticleRow[],
  vectors: Vectors,
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update articles a set
      fingerprint = decode(r.fingerprint, 'hex'), title = r.title, description = r.description, text = r.text,
      markdown = r.markdown, author = r.author, section = r.section, published_at = r.published_at,
      modified_at = r.modified_at, image_url = r.image_url, language = r.language, tags = r.tags,
      word_count = r.word_count, paywalled = r.paywalled, quality_score = r.quality_score,
      confidence_score = r.confidence_score, normalization_method = r.normalization_method, provenance = r.provenance,
      enriched = r.enriched, strategy = r.strategy, sight = r.sight, sight_at = r.sight_at,
      sight_run_id = r.sight_run_id, raw_item_id = r.raw_item_id, run_id = r.run_id, signature = decode(r.signature, 'hex'),
      status = r.status, missed_runs = 0,
      sort_at = coalesce(r.published_at, a.first_seen_at), updated_at = ${now}, search = r.search
    from (select *, coalesce(vector, ${searchOf(tx)}) as search from ${recordset(tx, rows, vectors)}) r
    where a.id = r.id`
}

export async function touchArticles(tx: Tx, rows: readonly ArticleRow[]): Promise<void> {
  if (rows.length === 0) return
  const touched = rows.map((row) => ({
    id: row.id,
    sight: row.sight,
    sight_at: row.sightAt,
    sight_run_id: row.sightRunId,
    raw_item_id: row.rawItemId,
    run_id: row.runId,
  }))
  await tx`
    update articles a set sight = r.sight, sight_at = r.sight_at, sight_run_id = r.sight_run_id,
      raw_item_id = r.raw_item_id, run_id = r.run_id, missed_runs = 0
    from jsonb_to_recordset(${tx.json(touched)}) as r(
      id uuid, sight real, sight_at timestamptz, sight_run_id uuid, raw_item_id bigint, run_id uuid)
    where a.id = r.id`
}

function searchOf(tx: Tx) {
  return tx`item_search(language, title, concat_ws(' ', author, section, array_to_string(tags, ' ')),
    description || ' ' || text)`
}

function recordset(tx: Tx, rows: readonly ArticleRow[], vectors: Vectors) {
  const c = columnArrays(rows, (row) => [row.fields, besides(row, vectors)])
  const documents = rows.map(({ fields, provenance, enriched }) => ({
    tags: fields['tags'],
    provenance,
    enriched,
  }))
  return tx`
    rows from (
      unnest(${c('id')}::uuid[], ${c('source_id')}::uuid[], ${c('url')}::text[], ${c('url_hash')}::text[],
        ${c('fingerprint')}::text[], ${c('title')}::text[], ${c('description')}::text[], ${c('text')}::text[],
        ${c('markdown')}::text[], ${c('author')}::text[], ${c('section')}::text[], ${c('published_at')}::timestamptz[],
        ${c('modified_at')}::timestamptz[], ${c('image_url')}::text[], ${c('language')}::text[],
        ${c('word_count')}::int[], ${c('paywalled')}::boolean[], ${c('quality_score')}::smallint[],
        ${c('confidence_score')}::real[], ${c('normalization_method')}::text[], ${c('strategy')}::text[],
        ${c('sight')}::real[], ${c('sight_at')}::timestamptz[], ${c('sight_run_id')}::uuid[],
        ${c('raw_item_id')}::bigint[], ${c('run_id')}::uuid[], ${c('signature')}::text[],
        ${c('first_seen_at')}::timestamptz[], ${c('vector')}::tsvector[], ${c('status')}::text[]),
      json_to_recordset(${JSON.stringify(documents)}::text::json) as (tags text[], provenance jsonb, enriched jsonb)
    ) as n(id, source_id, url, url_hash, fingerprint, title, description, text, markdown, author, section, published_at,
      modified_at, image_url, language, word_count, paywalled, quality_score, confidence_score, normalization_method,
      strategy, sight, sight_at, sight_run_id, raw_item_id, run_id, signature, first_seen_at, vector, status, tags,
      provenance, enriched)`
}

function besides(row: ArticleRow, vectors: Vectors): Record<string, unknown> {
  return {
    vector: vectors.get(row.id),
    id: row.id,
    source_id: row.sourceId,
    url: row.url,
    url_hash: row.urlHash,
    fingerprint: row.fingerprint,
    confidence_score: row.confidence,
    normalization_method: row.method,
    strategy: row.strategy,
    sight: row.sight,
    sight_at: row.sightAt,
    sight_run_id: row.sightRunId,
    raw_item_id: row.rawItemId,
    run_id: row.runId,
    signature: row.signature,
    first_seen_at: row.firstSeenAt,
  }
}

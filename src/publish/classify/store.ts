import type { Db, Tx } from '../../db/pool.ts'
import type { Classification, ItemKind } from '../types.ts'

export interface KnownItem {
  itemId: string
  kind: ItemKind
  sourceId: string
  version: number
  viewHash: string
  contentHash: string
  modelVersion: string
  gone: boolean
}

/** What was decided about these items before; locked in the order of their ids until the transaction ends. */
export async function lockClassified(tx: Tx, ids: readonly string[]): Promise<KnownItem[]> {
  return tx<KnownItem[]>`
    select item_id as "itemId", kind, source_id as "sourceId", version, encode(view_hash, 'hex') as "viewHash", content_hash as "contentHash",
      model_version as "modelVersion", gone
    from item_classifications where item_id = any(${[...ids]}::uuid[])
    order by item_id for update`
}

export interface ClassifiedRow {
  itemId: string
  kind: ItemKind
  sourceId: string
  language: string
  version: number
  viewHash: string
  classification: Classification
}

export async function saveClassified(
  tx: Tx,
  rows: readonly ClassifiedRow[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into item_classifications (item_id, kind, source_id, version, view_hash, content_hash, quality_score,
      quality_parts, content_type, confidence, topics, topic_scores, model_version, language, classified_at)
    select item_id, kind, source_id, version, decode(view_hash, 'hex'), content_hash, quality_score,
      quality_parts, content_type, confidence, topics, topic_scores, model_version, language, ${now}
    from jsonb_to_recordset(${tx.json(rows.map(toColumns) as never)}) as r(item_id uuid, kind text, source_id uuid,
      version integer, view_hash text, content_hash text, quality_score smallint, quality_parts jsonb,
      content_type text, confidence real, topics text[], topic_scores jsonb, model_version text, language text)
    order by item_id
    on conflict (item_id) do update set
      version = excluded.version, view_hash = excluded.view_hash, content_hash = excluded.content_hash,
      quality_score = excluded.quality_score, quality_parts = excluded.quality_parts,
      content_type = excluded.content_type, confidence = excluded.confidence, topics = excluded.topics,
      topic_scores = excluded.topic_scores, model_version = excluded.model_version, language = excluded.language,
      classified_at = excluded.classified_at, gone = false`
}

export async function addHistory(
  tx: Tx,
  rows: readonly (ClassifiedRow & { reclassification: boolean })[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into classification_history (item_id, source_id, item_version, quality_score, content_type, confidence,
      topics, model_version, content_hash, is_reclassification, classified_at)
    select item_id, source_id, version, quality_score, content_type, confidence, topics, model_version, content_hash,
      is_reclassification, ${now}
    from jsonb_to_recordset(${tx.json(
      rows.map((row) => ({
        ...toColumns(row),
        is_reclassification: row.reclassification,
      })),
    )}) as r(item_id uuid, source_id uuid, version integer, quality_score smallint, content_type text, confidence real,
      topics text[], model_version text, content_hash text, is_reclassification boolean)`
}

/** The items are gone: their next version is the deletion. */
export async function markGone(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx`
    update item_classifications set gone = true, version = version + 1, classified_at = ${now}
    where item_id = any(${[...ids]}::uuid[]) and not gone`
}

/** The most recently classified items, newest first. */
export async function recentItemIds(db: Db, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select item_id as id from item_classifications where not gone
    order by classified_at desc, item_id limit ${limit}`
  return rows.map((row) => row.id)
}

export interface StoredClassification extends Classification {
  itemId: string
  kind: ItemKind
  sourceId: string
  version: number
  gone: boolean
  classifiedAt: Date
}

export async function findClassifications(
  db: Db,
  ids: readonly string[],
): Promise<StoredClassification[]> {
  return db<StoredClassification[]>`
    select item_id as "itemId", kind, source_id as "sourceId", version, gone, classified_at as "classifiedAt",
      quality_score as quality, quality_parts as parts, content_type as "contentType", confidence::float8 as confidence,
      topics, topic_scores as "topicScores", model_version as "modelVersion", content_hash as "contentHash"
    from item_classifications where item_id = any(${[...ids]}::uuid[])`
}

export interface HistoryRow {
  id: string
  itemVersion: number
  quality: number
  contentType: string
  confidence: number
  topics: string[]
  modelVersion: string
  isReclassification: boolean
  classifiedAt: Date
}

export async function historyOf(db: Db, itemId: string, limit: number): Promise<HistoryRow[]> {
  return db<HistoryRow[]>`
    select id, item_version as "itemVersion", quality_score as quality, content_type as "contentType",
      confidence::float8 as confidence, topics, model_version as "modelVersion",
      is_reclassification as "isReclassification", classified_at as "classifiedAt"
    from classification_history where item_id = ${itemId} order by id desc limit ${limit}`
}

function toColumns({ classification, ...row }: ClassifiedRow): Record<string, unknown> {
  return {
    item_id: row.itemId,
    kind: row.kind,
    source_id: row.sourceId,
    version: row.version,
    view_hash: row.viewHash,
    language: row.language,
    content_hash: classification.contentHash,
    quality_score: classification.quality,
    quality_parts: classification.parts,
    content_type: classification.contentType,
    confidence: classification.confidence,
    topics: classification.topics,
    topic_scores: classification.topicScores,
    model_version: classification.modelVersion,
  }
}

import type { Tx } from '../../db/pool.ts'
import { newId } from '../../kernel/ids.ts'
import { differences, insertChanges, isEmpty, keepEnriched, same, type Fields } from '../changes.ts'
import { fingerprint } from '../fingerprint.ts'
import { replaces } from '../sight.ts'
import type { ArticleDraft, Change, Kept } from '../types.ts'
import {
  articleVectors,
  insertArticles,
  loadArticles,
  touchArticles,
  updateArticles,
  type ArticleRow,
} from './rows.ts'
import { minhash } from '../dedup/minhash.ts'

export interface PersistedArticles {
  kept: Kept[]
  moved: { itemId: string; sourceId: string }[]
}

const tracked = [
  'title',
  'description',
  'text',
  'author',
  'section',
  'published_at',
  'modified_at',
  'image_url',
  'language',
  'tags',
  'paywalled',
  'status',
] as const
/** Not worth a line in the history, but kept. */
const quiet = ['markdown', 'word_count', 'quality_score'] as const

/** Keeps a batch of articles; the address is the identity within a source. */
export async function persistArticles(
  tx: Tx,
  drafts: readonly ArticleDraft[],
  now: Date,
): Promise<PersistedArticles> {
  if (drafts.length === 0) return { kept: [], moved: [] }
  const rows = new Map(
    (await loadArticles(tx, drafts)).map((row) => [`${row.sourceId} ${row.urlHash}`, row]),
  )
  const inserted = new Map<string, ArticleRow>()
  const updated = new Map<string, ArticleRow>()
  const touched = new Map<string, ArticleRow>()
  const changes: Change[] = []
  const kept: Kept[] = []
  for (const draft of drafts) {
    const key = `${draft.sourceId} ${draft.urlHash}`
    const known = rows.get(key)
    if (known === undefined) {
      const row = newRow(draft, now)
      rows.set(key, row)
      inserted.set(row.id, row)
      kept.push({ rawItemId: draft.rawItemId, itemId: row.id, outcome: 'created' })
      continue
    }
    const before = known.fields
    Object.assign(known, merge(known, draft, now))
    const fields = differences(before, known.fields, tracked)
    const changed = Object.keys(fields).length > 0
    if (!inserted.has(known.id)) {
      if (changed || !same(before, known.fields)) updated.set(known.id, known)
      else touched.set(known.id, known)
      const change = 'status' in fields ? 'restored' : 'updated'
      if (changed) changes.push({ ...facts(known), run_id: draft.runId, change, fields })
    }
    kept.push({
      rawItemId: draft.rawItemId,
      itemId: known.id,
      outcome: changed ? 'updated' : 'unchanged',
    })
  }
  const news = [...inserted.values()]
  const written = [...news, ...updated.values()]
  for (const row of written) row.signature = minhash(String(row.fields['text']))
  const vectors = await articleVectors(tx, written)
  const born = news.map((row): Change => ({
    ...facts(row),
    run_id: row.runId,
    change: 'created',
    fields: {},
  }))
  await Promise.all([
    insertArticles(tx, news, vectors, now),
    updateArticles(tx, [...updated.values()], vectors, now),
    touchArticles(
      tx,
      [...touched.values()].filter((row) => !updated.has(row.id)),
    ),
    insertChanges(tx, [...born, ...changes], now),
  ])
  return {
    kept,
    moved: written.map((row) => ({
      itemId: row.id,
      sourceId: row.sourceId,
    })),
  }
}

/** Feeds call the section a tag: news that gets into the feed says nothing new by it. */
function newTags(incoming: Fields, { section }: Fields): unknown {
  const { tags } = incoming
  if (!Array.isArray(tags) || typeof section !== 'string') return tags
  return tags.filter((tag) => String(tag).toLowerCase() !== section.toLowerCase())
}

function merge(known: ArticleRow, draft: ArticleDraft, now: Date): ArticleRow {
  const { fields: incoming, enriched } = keepEnriched(fieldsOf(draft), known.enriched)
  const better = replaces(known, draft, now)
  const after: Fields = { ...known.fields }
  for (const name of [...tracked, ...quiet]) {
    const told = name === 'tags' && !better ? newTags(incoming, after) : incoming[name]
    if (name === 'status' || isEmpty(told)) continue
    if (better || isEmpty(after[name])) after[name] = told
  }
  // A list may still name what is gone; the page itself does not lie.
  if (draft.sight >= 2) after['status'] = 'active'
  return {
    ...known,
    fingerprint: printOf(after, known.sourceId),
    runId: draft.runId,
    rawItemId: draft.rawItemId,
    ...(better && {
      sight: draft.sight,
      sightAt: now,
      sightRunId: draft.runId,
      strategy: draft.strategy,
      confidence: draft.confidence,
      provenance: draft.provenance,
      enriched,
    }),
    fields: after,
  }
}

function newRow(draft: ArticleDraft, now: Date): ArticleRow {
  const fields = fieldsOf(draft)
  return {
    id: newId(),
    sourceId: draft.sourceId,
    url: draft.url,
    urlHash: draft.urlHash,
    fingerprint: printOf(fields, draft.sourceId),
    sight: draft.sight,
    sightAt: now,
    sightRunId: draft.runId,
    rawItemId: draft.rawItemId,
    runId: draft.runId,
    strategy: draft.strategy,
    confidence: draft.confidence,
    provenance: draft.provenance,
    method: 'rules',
    enriched: {},
    signature: null,
    firstSeenAt: now,
    fields,
  }
}

function printOf(fields: Fields, sourceId: string): string {
  return fingerprint(
    String(fields['title']),
    ((fields['published_at'] as string | null) ?? '').slice(0, 10),
    sourceId,
  )
}

function fieldsOf({ article }: ArticleDraft): Fields {
  return {
    title: article.title,
    description: article.description,
    text: article.text,
    markdown: article.markdown,
    author: article.author,
    section: article.section,
    published_at: article.publishedAt?.toISOString() ?? null,
    modified_at: article.modifiedAt?.toISOString() ?? null,
    image_url: article.imageUrl,
    language: article.language,
    tags: article.tags,
    word_count: article.wordCount,
    paywalled: article.paywalled,
    quality_score: article.qualityScore,
    status: 'active',
  }
}

function facts(row: ArticleRow): Pick<Change, 'kind' | 'item_id' | 'source_id'> {
  return { kind: 'article', item_id: row.id, source_id: row.sourceId }
}

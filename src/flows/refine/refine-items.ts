import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Tx } from '../../db/pool.ts'
import { rawItemsChannel } from '../../extract/store.ts'
import { enqueueDedup } from '../../items/dedup/queue.ts'
import { persistArticles } from '../../items/articles/persist.ts'
import { supersedeArticles } from '../../items/articles/supersede.ts'
import { completeEvents, type Completion } from '../../items/events/complete.ts'
import { persistEvents } from '../../items/events/persist.ts'
import { enqueueFollowUps, type FollowUp } from '../../items/follow-ups.ts'
import { stageItems, type StagedItem } from '../../items/staged.ts'
import type { ArticleDraft, EventDraft, Kept, Sighting } from '../../items/types.ts'
import { normalizeUrl, urlHash } from '../../kernel/url.ts'
import type { Normalized, SourceContext } from '../../normalize/types.ts'
import type { recordStage } from '../../stages/record.ts'
import { claimRaw, failRaw, finishRaw, postponeRaw, type RawRow } from './claim-raw.ts'
import { indexedEvents } from './indexed-events.ts'
import { loadSourceContexts, nobodysContext } from './source-contexts.ts'
import { failureOf, type Failure, type Stage, type StageResult } from './stage.ts'

export interface RefineOptions {
  batchSize?: number
  recordStage?: typeof recordStage
  /** Which helpers exist; without them nothing is put aside for them. */
  geocoder?: boolean
  ai?: boolean
  embeddings?: boolean
}

/** The name under which raw items appear in dead letters and metrics. */
export const normalizeStage = 'normalize'

/** raw_items ▶ normalize ▶ keep, in one transaction per batch. */
export function refineStage(options: RefineOptions = {}): Stage<RawRow> {
  const turn = { after: '00000000-0000-0000-0000-000000000000' }
  return {
    name: normalizeStage,
    channel: rawItemsChannel,
    batchSize: options.batchSize ?? 400,
    claim: (tx, wanted) => claimRaw(tx, wanted, turn),
    work: (tx, rows, now) => refineBatch(tx, rows, now, options),
    postpone: postponeRaw,
    bury: failRaw,
    letter: (row, failure) => ({
      stage: normalizeStage,
      subject: row.id,
      jobId: row.runId,
      sourceId: row.sourceId,
      errorType: failure.reason,
      errorMessage: failure.message,
      errorStack: failure.stack ?? null,
      payload: {
        raw_item_id: row.id,
        page_id: row.pageId,
        page_url: row.pageUrl,
        url_hash: row.urlHash,
        item: row.item,
      },
    }),
  }
}

const breathEvery = 50

interface Read {
  row: RawRow
  source: SourceContext
  result: Normalized
}

async function refineBatch(
  tx: Tx,
  rows: readonly RawRow[],
  now: Date,
  options: RefineOptions,
): Promise<StageResult> {
  // Language and date models: loaded with the first items, not at start.
  const { normalizeItem } = await import('../../normalize/normalize.ts')
  const sources = await loadSourceContexts(
    tx,
    rows.map((row) => row.sourceId),
  )
  const failures: Failure[] = []
  const read: Read[] = []
  for (const [index, row] of rows.entries()) {
    // Reading an item takes a fifth of a millisecond: requests get their turn in between.
    if (index % breathEvery === breathEvery - 1) await nextTurn()
    const source = sources.get(row.sourceId) ?? nobodysContext(row.sourceId, row.pageUrl)
    try {
      const page = { url: row.pageUrl, fetchedAt: row.fetchedAt ?? row.createdAt }
      read.push({ row, source, result: normalizeItem(row.item, source, page) })
    } catch (error) {
      failures.push({ ...failureOf(error), id: row.id, reason: 'unexpected' })
    }
  }
  const { events, articles, undated } = draftsOf(read)
  const keptEvents = await persistEvents(tx, events, now)
  // A page without a date whose address is a known event's is that event's page, whatever it looked like.
  const completed = await completeEvents(tx, [...completionsOf(read), ...undated], now)
  const done = new Set(completed.map((one) => one.rawItemId))
  await supersedeArticles(tx, bornWithAddress(events, keptEvents.kept), now)
  const keptArticles = await persistArticles(
    tx,
    articles.filter((draft) => !done.has(draft.rawItemId)),
    now,
  )
  failures.push(...refusals(read, done))

  const kept: Kept[] = [
    ...keptEvents.kept,
    ...keptArticles.kept,
    ...completed.map((one) => ({ ...one, outcome: 'completed' as const })),
  ]
  // Sent together: none waits for the answer to another.
  await Promise.all([
    finishRaw(
      tx,
      kept.map(({ rawItemId }) => rawItemId),
    ),
    stageItems(tx, staged(rows, kept), now),
    enqueueDedup(tx, 'calendar_event', keptEvents.moved),
    enqueueDedup(tx, 'article', keptArticles.moved),
    enqueueFollowUps(tx, followUpsOf(read, kept, options), now),
  ])
  await options.recordStage?.(tx, indexedEvents(read, kept, now), now)
  return { failures, counts: countsOf(kept) }
}

/** New events that have a page of their own. */
function bornWithAddress(events: readonly EventDraft[], kept: readonly Kept[]) {
  const born = new Set(
    kept.filter(({ outcome }) => outcome === 'created').map((one) => one.rawItemId),
  )
  return events.flatMap(({ rawItemId, urlIsOwn, urlHash: hash, sourceId, runId }) =>
    urlIsOwn && hash !== null && born.has(rawItemId) ? [{ sourceId, urlHash: hash, runId }] : [],
  )
}

function draftsOf(read: readonly Read[]): {
  events: EventDraft[]
  articles: ArticleDraft[]
  undated: Completion[]
} {
  const events: EventDraft[] = []
  const articles: ArticleDraft[] = []
  const undated: Completion[] = []
  for (const { row, result } of read) {
    if (!result.ok) continue
    const { item } = result
    const sighting = sightingOf(row, item.url, item.confidence, item.provenance)
    if (item.kind === 'calendar_event')
      events.push({ ...sighting, urlIsOwn: row.item.url !== null && !row.urlShared, event: item })
    else if (sighting.url !== null && sighting.urlHash !== null) {
      articles.push({ ...sighting, url: sighting.url, urlHash: sighting.urlHash, article: item })
      if (item.publishedAt === null)
        undated.push({
          raw_item_id: row.id,
          source_id: row.sourceId,
          run_id: row.runId,
          url_hash: sighting.urlHash,
          description: item.description,
          image_url: item.imageUrl,
        })
    }
  }
  return { events, articles, undated }
}

/** Seen on its own page counts more than in a list; where both are equal, the surer reading. */
function sightingOf(
  row: RawRow,
  itemUrl: string | null,
  confidence: number,
  provenance: unknown,
): Sighting {
  const url = normalizeUrl(itemUrl ?? row.pageUrl ?? '')
  const own = itemUrl !== null && row.pageUrl !== null && url === normalizeUrl(row.pageUrl)
  return {
    rawItemId: row.id,
    sourceId: row.sourceId,
    runId: row.runId,
    frontierId: row.frontierId,
    strategy: row.strategy,
    sight: Math.fround((own && !row.urlShared ? 2 : 1) + Math.min(confidence, 1) * 0.9),
    url,
    urlHash: url === null ? null : urlHash(url),
    confidence,
    provenance,
  }
}

function completionsOf(read: readonly Read[]): Completion[] {
  return read.flatMap(({ row, result }) => {
    if (result.ok || result.undated === undefined || row.urlHash === null) return []
    const { description, imageUrl } = result.undated
    return [
      {
        raw_item_id: row.id,
        source_id: row.sourceId,
        run_id: row.runId,
        url_hash: row.urlHash,
        description,
        image_url: imageUrl,
      },
    ]
  })
}

function refusals(read: readonly Read[], completed: ReadonlySet<string>): Failure[] {
  return read.flatMap(({ row, result }) =>
    result.ok || completed.has(row.id)
      ? []
      : [{ id: row.id, reason: result.reason, message: result.message, final: true }],
  )
}

function staged(rows: readonly RawRow[], kept: readonly Kept[]): StagedItem[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return kept.flatMap(({ rawItemId, itemId, outcome }) => {
    const row = byId.get(rawItemId)
    if (row === undefined) return []
    return [
      {
        raw_item_id: rawItemId,
        source_id: row.sourceId,
        run_id: row.runId,
        kind: row.kind,
        item_id: itemId,
        outcome,
      },
    ]
  })
}

/** What outside helpers may improve later, only where the rules were unsure. */
function followUpsOf(
  read: readonly Read[],
  kept: readonly Kept[],
  options: RefineOptions,
): FollowUp[] {
  const itemOf = new Map(kept.filter(changed).map((one) => [one.rawItemId, one.itemId]))
  return read.flatMap(({ row, result }) => {
    const itemId = itemOf.get(row.id)
    if (itemId === undefined || !result.ok) return []
    const { item } = result
    const about = { item_id: itemId, item_kind: item.kind }
    const wanted: FollowUp[] = []
    if (item.kind !== 'calendar_event') return wanted
    if (options.embeddings === true) wanted.push({ kind: 'embed', ...about, reason: null })
    if (options.geocoder === true && item.geoQuery !== null && item.precision !== 'exact')
      wanted.push({ kind: 'geocode', ...about, reason: item.precision })
    const unsure = item.categoryUnsure
      ? 'category'
      : item.description.length < 40
        ? 'description'
        : null
    if (options.ai === true && unsure !== null)
      wanted.push({ kind: 'enrich', ...about, reason: unsure })
    return wanted
  })
}

function changed({ outcome }: Kept): boolean {
  return outcome === 'created' || outcome === 'updated'
}

function countsOf(kept: readonly Kept[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { outcome } of kept) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

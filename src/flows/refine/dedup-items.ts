import type { Tx } from '../../db/pool.ts'
import {
  claimDedup,
  doneDedup,
  findCandidates,
  loadArticles,
  loadEvents,
  postponeDedup,
  type ComparableArticle,
  type QueueRow,
} from '../../items/dedup/candidates.ts'
import { loadEmbeddings, similarityOf } from '../../items/dedup/embeddings.ts'
import { joinClusters, leaveClusters, type Match } from '../../items/dedup/clusters.ts'
import { compareEvents, type ComparableEvent } from '../../items/dedup/compare-events.ts'
import { keysOf } from '../../items/dedup/keys.ts'
import { minhashKeys, minhashSimilarity, type Signature } from '../../items/dedup/minhash.ts'
import { dedupChannel } from '../../items/dedup/queue.ts'
import type { Stage, StageResult } from './stage.ts'

export const dedupStageName = 'dedup'

/** Syndicated texts share most of their word groups; different reports on one subject hardly any. */
const articleThreshold = 0.5
const articleWindowMs = 14 * 86_400_000
const clusterMostMinutes = 90

export interface DedupOptions {
  batchSize?: number
}

/** Kept items ▶ clusters: the same happening on several sources is found by day, place and words, then compared. */
export function dedupStage(options: DedupOptions = {}): Stage<QueueRow> {
  return {
    name: dedupStageName,
    channel: dedupChannel,
    batchSize: options.batchSize ?? 500,
    claim: claimDedup,
    work: dedupBatch,
    postpone: postponeDedup,
    bury: (tx, rows) =>
      doneDedup(
        tx,
        rows.map((row) => row.id),
      ),
    letter: (row, failure) => ({
      stage: dedupStageName,
      subject: row.itemId,
      jobId: null,
      sourceId: row.sourceId,
      errorType: failure.reason,
      errorMessage: failure.message,
      errorStack: failure.stack ?? null,
      payload: { item_id: row.itemId, kind: row.kind, source_id: row.sourceId },
    }),
  }
}

async function dedupBatch(tx: Tx, rows: readonly QueueRow[], now: Date): Promise<StageResult> {
  const of = (kind: QueueRow['kind']) =>
    rows.filter((row) => row.kind === kind).map((row) => row.itemId)
  const events = await matchEvents(tx, of('calendar_event'))
  const articles = await matchArticles(tx, of('article'))
  await leaveClusters(tx, [...events.lonely, ...articles.lonely], now)
  const clustered = [
    ...(await joinClusters(tx, 'calendar_event', events.matches, now)),
    ...(await joinClusters(tx, 'article', articles.matches, now)),
  ]
  await doneDedup(
    tx,
    rows.map((row) => row.id),
  )
  return {
    failures: [],
    counts: {
      compared: rows.length,
      matched: events.matches.length + articles.matches.length,
      clusters: clustered.length,
    },
  }
}

interface Found {
  matches: Match[]
  /** Looked at again and like nothing else. */
  lonely: string[]
}

async function matchEvents(tx: Tx, ids: readonly string[]): Promise<Found> {
  if (ids.length === 0) return { matches: [], lonely: [] }
  const events = await loadEvents(tx, ids)
  const found = await findCandidates(
    tx,
    events.map((event) => ({ id: event.id, ...keysOf(event) })),
  )
  const known = new Map(events.map((event) => [event.id, event]))
  const missing = [...new Set([...found.values()].flatMap((others) => [...others]))].filter(
    (id) => !known.has(id),
  )
  for (const event of await loadEvents(tx, missing)) known.set(event.id, event)
  const vectors = await loadEmbeddings(tx, [...known.keys()])
  return collect(events, found, known, (event, others) => {
    const better = others
      .filter((other) => other.sourceId !== event.sourceId)
      .map((other) => ({
        other,
        ...compareEvents(event, other, similarityOf(vectors, event.id, other.id)),
      }))
      .filter((comparison) => comparison.same)
    return nearestPerSource(event, better).map(({ other, score, evidence }) => ({
      a: event.id,
      b: other.id,
      score,
      evidence,
    }))
  })
}

/** A source that lists two shows of one day has one partner for each: the one nearest in time. */
function nearestPerSource<T extends { other: ComparableEvent; score: number }>(
  event: ComparableEvent,
  matches: T[],
): T[] {
  const best = new Map<string, T>()
  const gap = (match: T): number =>
    Math.abs(match.other.startsAt.getTime() - event.startsAt.getTime()) / 60_000
  for (const match of matches) {
    const rival = best.get(match.other.sourceId)
    const closer =
      rival === undefined ||
      gap(match) < gap(rival) ||
      (gap(match) === gap(rival) && match.score > rival.score)
    if (
      closer &&
      (event.eventTime === 'TBD' ||
        match.other.eventTime === 'TBD' ||
        gap(match) <= clusterMostMinutes)
    )
      best.set(match.other.sourceId, match)
  }
  return [...best.values()]
}

async function matchArticles(tx: Tx, ids: readonly string[]): Promise<Found> {
  if (ids.length === 0) return { matches: [], lonely: [] }
  const articles = (await loadArticles(tx, ids)).filter(hasSignature)
  const found = await findCandidates(
    tx,
    articles.map((article) => {
      const keys = minhashKeys(article.signature).map((key) => ({ day: 0, key }))
      return { id: article.id, store: keys, lookUp: keys }
    }),
  )
  const known = new Map(articles.map((article) => [article.id, article]))
  const missing = [...new Set([...found.values()].flatMap((others) => [...others]))].filter(
    (id) => !known.has(id),
  )
  for (const article of (await loadArticles(tx, missing)).filter(hasSignature))
    known.set(article.id, article)
  return collect(articles, found, known, (article, others) =>
    others.flatMap((other) => {
      const days = Math.abs(other.publishedAt.getTime() - article.publishedAt.getTime())
      if (other.sourceId === article.sourceId || days > articleWindowMs) return []
      const score = minhashSimilarity(article.signature, other.signature)
      return score < articleThreshold
        ? []
        : [{ a: article.id, b: other.id, score, evidence: { text: score } }]
    }),
  )
}

type Signed = ComparableArticle & { signature: Signature }

function hasSignature(article: ComparableArticle): article is Signed {
  return article.signature !== null
}

function collect<T extends { id: string }>(
  items: readonly T[],
  found: ReadonlyMap<string, ReadonlySet<string>>,
  known: ReadonlyMap<string, T>,
  match: (item: T, others: T[]) => Match[],
): Found {
  const matches: Match[] = []
  const lonely: string[] = []
  for (const item of items) {
    const others = [...(found.get(item.id) ?? [])].flatMap((id) => known.get(id) ?? [])
    const own = match(item, others)
    if (own.length === 0) lonely.push(item.id)
    matches.push(...own)
  }
  // A pair met from both ends counts once; who was found by another is not lonely.
  const partners = new Set(matches.flatMap(({ a, b }) => [a, b]))
  return { matches, lonely: lonely.filter((id) => !partners.has(id)) }
}

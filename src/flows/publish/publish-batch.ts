import type { Tx } from '../../db/pool.ts'
import {
  addHistory,
  lockClassified,
  markGone,
  saveClassified,
  type ClassifiedRow,
  type KnownItem,
} from '../../publish/classify/store.ts'
import { decide } from '../../publish/deliveries/decide.ts'
import {
  applyMemberships,
  insertDeliveries,
  membershipsOf,
  saveVersions,
  type NewDelivery,
} from '../../publish/deliveries/outbox.ts'
import { loadItems } from '../../publish/load-items.ts'
import { payloadHash, payloadOf, type ItemPayload } from '../../publish/payload.ts'
import type { RouteMatch } from '../../publish/routes/route-index.ts'
import type { Classification, ItemView } from '../../publish/types.ts'
import type { recordStage } from '../../stages/record.ts'
import type { Compiled } from './compiled.ts'
import { stageAddresses } from './stage-addresses.ts'
import { stageEventsOf } from './stage-events.ts'

export interface BatchOptions {
  compiled: Compiled
  now: Date
  /** Everything is classified again, whether or not it changed. */
  reclassify: boolean
  recordStage: typeof recordStage
}

/** One item with what was found out about it and what follows. */
export interface Judged {
  item: ItemView
  classification: Classification
  payload: ItemPayload
  version: number
  viewHash: string
  /** First time, new content or new rules: worth a line in the history. */
  isNews: boolean
  isReclassification: boolean
  changed: boolean
  tookMs: number
}

export interface BatchResult {
  classified: number
  changed: number
  routed: number
  gone: number
  failures: { itemId: string; error: unknown }[]
}

/**
 * Classifies and routes items in the caller's transaction: the classification, its history, the lists of the routes,
 * the outbox and the stage events, all or nothing.
 */
export async function publishBatch(
  tx: Tx,
  itemIds: readonly string[],
  options: BatchOptions,
): Promise<BatchResult> {
  const { compiled, now } = options
  const known = new Map((await lockClassified(tx, itemIds)).map((row) => [row.itemId, row]))
  const items = await loadItems(tx, itemIds)
  const { judged, failures } = judgeAll(items, known, options)
  const gone = goneOf(itemIds, items, known)

  const news = judged.filter((one) => one.isNews)
  await saveClassified(tx, judged.filter((one) => one.isNews || one.changed).map(toRow), now)
  await addHistory(
    tx,
    news.map((one) => ({ ...toRow(one), reclassification: one.isReclassification })),
    now,
  )
  await markGone(
    tx,
    gone.map((one) => one.itemId),
    now,
  )

  const addresses = await stageAddresses(tx, items)
  const deliveries = await routeAll(tx, judged, gone, compiled, addresses)
  await options.recordStage(
    tx,
    stageEventsOf(judged, deliveries, compiled.routes, addresses, now),
    now,
  )
  await applyMemberships(tx, deliveries)
  const told = new Set(
    deliveries.filter((one) => one.change !== 'deleted').map((one) => one.itemId),
  )
  await saveVersions(
    tx,
    judged
      .filter((one) => told.has(one.item.id))
      .map(({ item, version, payload }) => ({ itemId: item.id, version, payload })),
    now,
  )
  await insertDeliveries(tx, deliveries, now)
  return {
    classified: news.length,
    changed: judged.filter((one) => one.changed).length,
    routed: deliveries.length,
    gone: gone.length,
    failures,
  }
}

function judgeAll(
  items: readonly ItemView[],
  known: ReadonlyMap<string, KnownItem>,
  options: BatchOptions,
): { judged: Judged[]; failures: BatchResult['failures'] } {
  const judged: Judged[] = []
  const failures: BatchResult['failures'] = []
  for (const item of items) {
    try {
      judged.push(judge(item, known.get(item.id), options))
    } catch (error) {
      failures.push({ itemId: item.id, error })
    }
  }
  return { judged, failures }
}

function judge(item: ItemView, before: KnownItem | undefined, options: BatchOptions): Judged {
  const started = performance.now()
  const classification = options.compiled.classifier.classify(item)
  const payload = payloadOf(item, classification)
  // An event tells its status itself; an article that is gone is a new version of it all the same.
  const viewHash = payloadHash(payload, item.kind === 'article' && item.status === 'vanished')
  const changed = before === undefined || before.gone || before.viewHash !== viewHash
  const sameContent = before !== undefined && before.contentHash === classification.contentHash
  const sameModel = before?.modelVersion === classification.modelVersion
  return {
    item,
    classification,
    payload,
    viewHash,
    version: (before?.version ?? 0) + (changed ? 1 : 0),
    isNews: options.reclassify || !sameContent || !sameModel,
    isReclassification: options.reclassify || sameContent,
    changed,
    tookMs: Math.round((performance.now() - started) * 100) / 100,
  }
}

/** Items we knew and that are no more. */
function goneOf(
  itemIds: readonly string[],
  items: readonly ItemView[],
  known: ReadonlyMap<string, KnownItem>,
): KnownItem[] {
  const here = new Set(items.map((item) => item.id))
  return itemIds.flatMap((id) => {
    const before = known.get(id)
    return here.has(id) || before === undefined || before.gone ? [] : [before]
  })
}

async function routeAll(
  tx: Tx,
  judged: readonly Judged[],
  gone: readonly KnownItem[],
  { index, routes }: Compiled,
  addresses: ReadonlyMap<string, string>,
): Promise<NewDelivery[]> {
  const ids = [...judged.map((one) => one.item.id), ...gone.map((one) => one.itemId)]
  const members = new Map<string, Map<string, number>>(ids.map((id) => [id, new Map()]))
  for (const { itemId, routeId, itemVersion } of await membershipsOf(tx, ids))
    members.get(itemId)?.set(routeId, itemVersion)

  const subjects = [
    ...judged.map((one) => ({
      itemId: one.item.id,
      kind: one.item.kind,
      sourceId: one.item.sourceId,
      version: one.version,
      matches: matchesOf(one, index),
    })),
    ...gone.map((one) => ({ ...one, version: one.version + 1, matches: [] })),
  ]
  return subjects.flatMap(({ itemId, kind, sourceId, version, matches }) =>
    decide(matches, members.get(itemId) ?? new Map(), version, routes).map((decision) => ({
      routeId: decision.route.id,
      routeVersion: decision.route.version,
      channelId: decision.route.channelId,
      itemId,
      itemVersion: version,
      sourceId,
      kind,
      change: decision.change,
      matchedTopics: decision.matchedTopics,
      stageUrl: addresses.get(itemId) ?? null,
    })),
  )
}

/** What vanished from its source is on no route any more; a cancelled event still is, marked as such. */
function matchesOf({ item, classification }: Judged, index: Compiled['index']): RouteMatch[] {
  return item.status === 'vanished' ? [] : index.match({ item, classification })
}

function toRow(one: Judged): ClassifiedRow {
  return {
    itemId: one.item.id,
    kind: one.item.kind,
    sourceId: one.item.sourceId,
    language: one.item.language,
    version: one.version,
    viewHash: one.viewHash,
    classification: one.classification,
  }
}

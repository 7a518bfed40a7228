import type { NewDelivery } from '../../publish/deliveries/outbox.ts'
import type { Route } from '../../publish/routes/filters.ts'
import type { StageEvent } from '../../stages/record.ts'
import type { Judged } from './publish-batch.ts'

const classifier = 'classifier'
const publisher = 'publisher'

/** "classified" and "routed" of a batch; "published" too where nothing has to be sent. */
export function stageEventsOf(
  judged: readonly Judged[],
  deliveries: readonly NewDelivery[],
  routes: ReadonlyMap<string, Route>,
  addresses: ReadonlyMap<string, string>,
  now: Date,
): StageEvent[] {
  const events: StageEvent[] = []
  const items = new Map(judged.map((one) => [one.item.id, one.item]))
  for (const one of judged) {
    const url = addresses.get(one.item.id)
    if (!one.isNews || url === undefined) continue
    events.push({
      url,
      source: { id: one.item.sourceId, name: one.item.sourceName },
      stage: 'classified',
      occurredAt: now,
      serviceName: classifier,
      metadata: {
        quality_score: one.classification.quality,
        topics: one.classification.topics,
        content_type: one.classification.contentType,
        model_version: one.classification.modelVersion,
        processing_time_ms: one.tookMs,
        is_reclassification: one.isReclassification,
        confidence: one.classification.confidence,
        content_hash: one.classification.contentHash,
      },
    })
  }
  for (const delivery of deliveries) {
    const item = items.get(delivery.itemId)
    const route = routes.get(delivery.routeId)
    // Being taken off a route is not a step forward.
    if (item === undefined || route === undefined || delivery.stageUrl === null) continue
    if (delivery.change === 'deleted') continue
    const source = { id: item.sourceId, name: item.sourceName }
    events.push({
      url: delivery.stageUrl,
      source,
      stage: 'routed',
      occurredAt: now,
      serviceName: publisher,
      idempotencyKey: deliveryKey('routed', delivery),
      metadata: {
        route_id: route.id,
        channel: route.channelName,
        min_quality_score: route.filters.min_quality ?? 0,
        matched_topics: delivery.matchedTopics,
      },
    })
    if (delivery.channelId === null)
      events.push(
        publishedEvent(delivery, {
          source,
          channel: route.channelName,
          subscribers: null,
          attempt: 1,
          now,
        }),
      )
  }
  return events
}

type Delivery = Pick<
  NewDelivery,
  'routeId' | 'routeVersion' | 'itemId' | 'itemVersion' | 'stageUrl'
>

export function publishedEvent(
  delivery: Delivery,
  facts: {
    source: StageEvent['source']
    channel: string
    subscribers: number | null
    attempt: number
    now: Date
  },
): StageEvent {
  return {
    url: delivery.stageUrl ?? '',
    source: facts.source,
    stage: 'published',
    occurredAt: facts.now,
    serviceName: publisher,
    idempotencyKey: deliveryKey('published', delivery),
    metadata: {
      channel: facts.channel,
      redis_subscribers: facts.subscribers,
      attempt: facts.attempt,
    },
  }
}

/** One event per version of an item and route, however often it is sent. */
function deliveryKey(stage: string, one: Delivery): string {
  return [publisher, stage, one.routeId, one.routeVersion, one.itemId, one.itemVersion].join(':')
}

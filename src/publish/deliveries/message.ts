import { createHash } from 'node:crypto'
import type { ItemPayload } from '../payload.ts'
import type { ChangeName } from './decide.ts'

/** A delivery with everything its consumer is told. */
export interface Outgoing {
  id: string
  routeId: string
  routeName: string
  routeVersion: number
  itemId: string
  itemVersion: number
  kind: string
  change: ChangeName
  /** Sent by hand, to try a channel. */
  isTest?: boolean
  matchedTopics: string[]
  createdAt: Date
  payload: ItemPayload | null
}

/** The same for every attempt to deliver the same version of an item on the same route. */
export function idempotencyIdOf(
  one: Pick<Outgoing, 'routeId' | 'routeVersion' | 'itemId' | 'itemVersion'>,
): string {
  const parts = [one.routeId, one.routeVersion, one.itemId, one.itemVersion].join(' ')
  return `msg_${createHash('sha256').update(parts).digest('hex').slice(0, 32)}`
}

export function messageOf(one: Outgoing) {
  if (one.isTest === true) {
    const text = 'A test message from Millrace: this channel works.'
    const timestamp = one.createdAt.toISOString()
    return { id: idempotencyIdOf(one), type: 'channel.test', timestamp, data: { text } }
  }
  return {
    id: idempotencyIdOf(one),
    type: `item.${one.change}`,
    timestamp: one.createdAt.toISOString(),
    data: {
      change: one.change,
      route: { id: one.routeId, name: one.routeName },
      item_id: one.itemId,
      item_version: one.itemVersion,
      item_kind: one.kind,
      matched_topics: one.matchedTopics,
      item: one.payload,
    },
  }
}

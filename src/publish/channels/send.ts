import type { ClaimedDelivery } from '../deliveries/claim.ts'
import type { Channel } from './store.ts'

export interface Attempt {
  id: string
  ok: boolean
  error: string | null
  responseCode: number | null
  subscribers: number | null
  tookMs: number
  /** The receiver asked for a pause of its whole channel. */
  pauseMs: number | null
  /** The receiver wants nothing any more. */
  goneForGood: boolean
}

export interface SendOptions {
  now: () => Date
  /** No request starts after this. */
  deadline: Date
}

/** Brings a batch to its receiver. What could not be tried is missing in the answer and stays as it is. */
export type Send = (
  channel: Channel,
  batch: readonly ClaimedDelivery[],
  options: SendOptions,
) => Promise<Attempt[]>

import { transaction, type Sql } from '../../db/pool.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Attempt, Send } from '../../publish/channels/send.ts'
import type { Channel, ChannelKind } from '../../publish/channels/store.ts'
import {
  claimDeliveries,
  dueChannels,
  holdsLease,
  leaseChannel,
  releaseChannel,
  type ClaimedDelivery,
} from '../../publish/deliveries/claim.ts'
import {
  closeAlerts,
  markDelivered,
  markUndelivered,
  openAlert,
  saveChannelOutcome,
} from '../../publish/deliveries/finish.ts'
import {
  defaultPolicy,
  judgeAttempts,
  type DeliveryPolicy,
} from '../../publish/deliveries/policy.ts'
import { recordStage } from '../../stages/record.ts'
import { publishedEvent } from './stage-events.ts'

export interface DeliverDeps {
  sql: Sql
  clock: Clock
  log: Log
  /** How to reach each kind of channel; a kind that is missing waits. */
  senders: Partial<Record<ChannelKind, Send>>
  policy?: Partial<DeliveryPolicy>
  batchSize?: number
  leaseMs?: number
  /** Ends a drain between two batches. */
  stopping?: AbortSignal
}

const defaultBatchSize = 200
const defaultLeaseMs = 15_000

/** One round over all channels that have something due; gives how many deliveries were attempted. */
export async function deliverOnce(deps: DeliverDeps): Promise<number> {
  const channels = await dueChannels(deps.sql, deps.clock.now())
  const counts = await Promise.all(channels.map((id) => drainChannel(deps, id)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Sends what is due on one channel until nothing is, it has to pause, or somebody else holds its lease. */
export async function drainChannel(deps: DeliverDeps, channelId: string): Promise<number> {
  const token = newId()
  let attempted = 0
  try {
    while (deps.stopping?.aborted !== true) {
      const count = await sendBatch(deps, channelId, token)
      if (count === 0) break
      attempted += count
    }
  } finally {
    await releaseChannel(deps.sql, channelId, token)
  }
  return attempted
}

async function sendBatch(deps: DeliverDeps, channelId: string, token: string): Promise<number> {
  const { sql, clock } = deps
  const leaseMs = deps.leaseMs ?? defaultLeaseMs
  const started = clock.now()
  const channel = await leaseChannel(sql, channelId, token, started, leaseMs)
  const send = channel === null ? undefined : deps.senders[channel.kind]
  if (channel === null || send === undefined) return 0
  const batch = await claimDeliveries(sql, channelId, started, deps.batchSize ?? defaultBatchSize)
  if (batch.length === 0) return 0
  const attempts = await send(channel, batch, {
    now: () => clock.now(),
    deadline: new Date(started.getTime() + leaseMs),
  })
  const kept = await settle(deps, channel, token, batch, attempts)
  return kept ? attempts.length : 0
}

/** Writes down how it went; false when the lease has moved on and the next holder sends again. */
async function settle(
  deps: DeliverDeps,
  channel: Channel,
  token: string,
  batch: readonly ClaimedDelivery[],
  attempts: readonly Attempt[],
): Promise<boolean> {
  const now = deps.clock.now()
  const byId = new Map(batch.map((one) => [one.id, one]))
  const policy = { ...defaultPolicy(channel.kind), ...deps.policy }
  const verdict = judgeAttempts(channel, attempts, byId, policy, now)
  return transaction(deps.sql, async (tx) => {
    if (!(await holdsLease(tx, channel.id, token))) return false
    await markDelivered(tx, verdict.delivered, now)
    await markUndelivered(tx, verdict.undelivered, now)
    await saveChannelOutcome(tx, channel.id, verdict.channel, now)
    if (verdict.channel.failures === 0 && channel.failures > 0)
      await closeAlerts(tx, channel.id, now)
    if (verdict.alert !== null) {
      const details = { channel: channel.name, ...verdict.alert.details }
      if (await openAlert(tx, channel.id, verdict.alert.kind, details, now))
        deps.log.error(
          { ...details, alert: verdict.alert.kind },
          'a channel does not take deliveries',
        )
    }
    await recordStage(
      tx,
      verdict.delivered.flatMap(({ id, attempt, subscribers }) => {
        const one = byId.get(id)
        if (one === undefined || one.stageUrl === null || one.change === 'deleted') return []
        const name = one.sourceName ?? one.payload?.source.name ?? ''
        const source = { id: one.sourceId, name }
        return [publishedEvent(one, { source, channel: channel.name, subscribers, attempt, now })]
      }),
      now,
    )
    return true
  })
}

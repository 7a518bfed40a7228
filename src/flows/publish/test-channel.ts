import { newId } from '../../kernel/ids.ts'
import type { Attempt } from '../../publish/channels/send.ts'
import type { Channel } from '../../publish/channels/store.ts'
import { createSenders, type SenderOptions } from './senders.ts'

const patienceMs = 15_000

/** Sends one message that is no item, as deliveries are sent; nothing of it is kept and no failure is counted. */
export async function testChannel(
  channel: Channel,
  options: SenderOptions,
  now: () => Date,
): Promise<Attempt | null> {
  const { senders, close } = createSenders(options)
  try {
    const send = senders[channel.kind]
    if (send === undefined) return null
    const id = newId()
    const message = {
      id,
      routeId: id,
      routeName: 'test',
      routeVersion: 0,
      itemId: id,
      itemVersion: 0,
      kind: 'test',
      change: 'created' as const,
      isTest: true,
      matchedTopics: [],
      createdAt: now(),
      payload: null,
      attempts: 0,
      sourceId: id,
      sourceName: null,
      stageUrl: null,
    }
    const deadline = new Date(now().getTime() + patienceMs)
    return (await send(channel, [message], { now, deadline }))[0] ?? null
  } finally {
    await close()
  }
}

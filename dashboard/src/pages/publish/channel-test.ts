import type { ChannelRow, ChannelTest } from '../../../../contract/dashboard/publish.ts'
import { api } from '../../api/client.ts'
import { useAction } from '../../shared/action.ts'
import { useToasts } from '../../shared/toasts.ts'
import { useTexts } from '../../texts/index.ts'

/** Sends a test message and says what the receiver answered. */
export function useChannelTest() {
  const t = useTexts()
  const toasts = useToasts()
  const action = useAction()
  async function send(channel: Pick<ChannelRow, 'id' | 'name'>): Promise<void> {
    const answer = await action.run(() =>
      api.post<ChannelTest>(`/api/v1/channels/${channel.id}/test`),
    )
    if (answer === undefined) return
    const texts = t.value.channels
    const details = [
      answer.error,
      answer.response_code !== null && answer.ok ? texts.testCode(answer.response_code) : null,
      answer.redis_subscribers === null ? null : texts.testSubscribers(answer.redis_subscribers),
    ].filter((line) => line !== null)
    if (answer.ok) toasts.show('good', texts.testOk(channel.name, answer.took_ms), { details })
    else toasts.show('bad', texts.testFailed(channel.name), { details })
  }
  return { busy: action.busy, send }
}

import { createCircuit, type CircuitState } from '../kernel/circuit.ts'
import { messageOf } from '../kernel/errors.ts'
import { answerWithin, openStream, type SourceEventStream, type StreamOptions } from './stream.ts'

/** One connection to the stream behind a breaker: opened when first used, dropped and opened again after a failure. */
export interface StreamLink {
  /** True while Redis answers; then the stream delivers and the outbox reader only sweeps up. */
  readonly healthy: boolean
  use<T>(work: (stream: SourceEventStream) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export class StreamAway extends Error {
  constructor() {
    super('Redis is away; trying again after a pause')
    this.name = 'StreamAway'
  }
}

const breaker = { failures: 3, cooldownMs: 2000, successes: 1 }
/** Longer than any wait for messages; a Redis that is silent for this long counts as away. */
const answerMs = 5000
const leaveMs = 500

export function createStreamLink(
  options: StreamOptions & { onState: (state: CircuitState) => void },
): StreamLink {
  let stream: SourceEventStream | null = null
  let answered = false
  const circuit = createCircuit({
    ...breaker,
    onChange: (state) => {
      options.onState(state)
      options.log[state === 'open' ? 'warn' : 'info']({ state }, 'redis breaker')
    },
  })
  return {
    get healthy() {
      return answered && circuit.state === 'closed'
    },
    use: async (work) => {
      if (!circuit.allows()) throw new StreamAway()
      try {
        stream ??= await openStream(options)
        const result = await answerWithin(work(stream), answerMs)
        circuit.succeeded()
        answered = true
        return result
      } catch (error) {
        circuit.failed()
        answered = false
        stream?.close()
        stream = null
        throw error
      }
    },
    close: async () => {
      const open = stream
      stream = null
      if (open === null) return
      try {
        await answerWithin(open.leave(), leaveMs)
      } catch (error) {
        options.log.debug({ reason: messageOf(error) }, 'left the stream without a word')
      } finally {
        open.close()
      }
    },
  }
}

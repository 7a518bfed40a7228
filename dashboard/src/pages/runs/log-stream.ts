import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue'
import type { LogLine, RunRow } from '../../../../contract/dashboard/runs.ts'
import { openStream } from '../../api/sse.ts'

const keptLines = 10_000

export interface LogStream {
  lines: ShallowRef<LogLine[]>
  state: Ref<'connecting' | 'open' | 'waiting' | 'gone'>
}

/** The log of a run as it grows. Lines are drawn once per frame, however fast they come. */
export function useLogStream(run: Ref<RunRow | undefined>): LogStream {
  const lines = shallowRef<LogLine[]>([])
  const state = ref<'connecting' | 'open' | 'waiting' | 'gone'>('connecting')
  let stop = () => {}

  watch(
    () => run.value?.id,
    (id) => {
      stop()
      lines.value = []
      if (id !== undefined) stop = follow(id)
    },
    { immediate: true },
  )
  onScopeDispose(() => stop())

  function follow(id: string): () => void {
    let waiting: LogLine[] = []
    const flush = () => {
      lines.value = [...lines.value, ...waiting].slice(-keptLines)
      waiting = []
    }
    return openStream(`/api/v1/runs/${id}/logs/stream/v2`, {
      onState: (next) => (state.value = next),
      onMessage: (message) => {
        const line = parse(message.data)
        if (line === null) return
        if (waiting.length === 0) requestAnimationFrame(flush)
        waiting.push(line)
      },
    })
  }

  return { lines, state }
}

function parse(data: string): LogLine | null {
  try {
    const line = JSON.parse(data) as LogLine
    return typeof line.message === 'string' ? line : null
  } catch {
    return null
  }
}

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
    () => {
      stop()
      lines.value = []
      if (run.value) stop = follow(pathsOf(run.value))
    },
    { immediate: true },
  )
  onScopeDispose(() => stop())

  function follow(paths: string[]): () => void {
    const [path, ...others] = paths
    if (path === undefined) return () => {}
    let waiting: LogLine[] = []
    let stopOther = () => {}
    const seen = new Set<string>()
    const stopThis = openStream(path, {
      onState: (next) => {
        if (next === 'gone' && others.length > 0) stopOther = follow(others)
        else state.value = next
      },
      onMessage: (message) => {
        const line = parse(message.data)
        if (line === null || seen.has(String(line.id))) return
        seen.add(String(line.id))
        if (waiting.length === 0) requestAnimationFrame(flush)
        waiting.push(line)
      },
    })
    const flush = () => {
      lines.value = [...lines.value, ...waiting].slice(-keptLines)
      waiting = []
    }
    return () => (stopThis(), stopOther())
  }

  return { lines, state }
}

function pathsOf(run: RunRow): string[] {
  const ofRun = `/api/v1/runs/${run.id}/logs/stream`
  if (run.job_id === null) return [ofRun]
  return [ofRun, `/api/v1/jobs/${run.job_id}/logs/stream/v2?run_id=${run.id}`]
}

function parse(data: string): LogLine | null {
  try {
    const line = JSON.parse(data) as LogLine
    return typeof line.message === 'string' ? line : null
  } catch {
    return null
  }
}

import { useQueryClient } from '@tanstack/vue-query'
import { ref, type Ref } from 'vue'
import type { BulkResult } from '../../../../contract/dashboard/lists.ts'
import { bulkSources } from '../../api/sources.ts'
import { errorText } from '../../shared/action.ts'
import { useTexts } from '../../texts/index.ts'

export interface BulkProgress {
  action: string
  total: number
  results: BulkResult[]
  finished: boolean
}

const chunkSize = 25

/** Sends the selection in small portions so progress can be seen and one bad row stops nothing. */
export function useBulk(): {
  progress: Ref<BulkProgress | null>
  run(action: string, ids: string[], extra?: Record<string, unknown>): Promise<void>
} {
  const texts = useTexts()
  const client = useQueryClient()
  const progress = ref<BulkProgress | null>(null)

  async function run(action: string, ids: string[], extra: Record<string, unknown> = {}) {
    const state: BulkProgress = { action, total: ids.length, results: [], finished: false }
    progress.value = state
    for (let at = 0; at < ids.length; at += chunkSize) {
      const portion = ids.slice(at, at + chunkSize)
      const results = await send(action, portion, extra)
      progress.value = { ...state, results: [...(progress.value?.results ?? []), ...results] }
    }
    progress.value = { ...state, results: progress.value.results, finished: true }
    await client.invalidateQueries({ queryKey: ['sources'] })
    await client.invalidateQueries({ queryKey: ['jobs'] })
  }

  async function send(action: string, ids: string[], extra: Record<string, unknown>) {
    try {
      return (await bulkSources(action, ids, extra)).results
    } catch (error) {
      const text = errorText(error, texts.value.states.unreachable)
      return ids.map((id) => ({ id, ok: false, error: text }))
    }
  }

  return { progress, run }
}

import { useQueryClient } from '@tanstack/vue-query'
import { ref, type Ref } from 'vue'
import type { BulkResult } from '../../../../contract/dashboard/lists.ts'
import { bulkJobs, type JobAction } from '../../api/jobs.ts'
import { bulkSources } from '../../api/sources.ts'
import { errorText } from '../../shared/action.ts'
import { useTexts } from '../../texts/index.ts'

export type BulkWish =
  | { action: 'pause' | 'resume' | 'force-run' }
  | { action: 'enable' | 'delete' }
  | { action: 'disable'; reason: string }
  | { action: 'tag'; add: string[] }
  | { action: 'patch'; patch: { priority: string } }

export interface BulkProgress {
  total: number
  done: number
  refused: BulkResult[]
  finished: boolean
}

const chunkSize = 25
const jobActions: readonly string[] = ['pause', 'resume', 'force-run']

/** Sends the selection in small portions so progress can be seen and one bad row stops nothing. */
export function useBulk(): {
  progress: Ref<BulkProgress | null>
  run(wish: BulkWish, sourceIds: string[]): Promise<void>
} {
  const texts = useTexts()
  const client = useQueryClient()
  const progress = ref<BulkProgress | null>(null)

  async function run(wish: BulkWish, sourceIds: string[]): Promise<void> {
    let refused: BulkResult[] = []
    progress.value = { total: sourceIds.length, done: 0, refused, finished: false }
    for (let at = 0; at < sourceIds.length; at += chunkSize) {
      const portion = sourceIds.slice(at, at + chunkSize)
      const results = await send(wish, portion)
      refused = [...refused, ...results.filter((result) => !result.ok)]
      const done = at + portion.length
      progress.value = {
        total: sourceIds.length,
        done,
        refused,
        finished: done >= sourceIds.length,
      }
    }
    await client.invalidateQueries({ queryKey: ['sources'] })
    await client.invalidateQueries({ queryKey: ['jobs'] })
  }

  async function send(wish: BulkWish, ids: string[]): Promise<BulkResult[]> {
    const { action, ...extra } = wish
    try {
      const answer = jobActions.includes(action)
        ? await bulkJobs(action as JobAction, ids)
        : await bulkSources(action, ids, extra)
      return answer.results
    } catch (error) {
      const text = errorText(error, texts.value.states.unreachable)
      return ids.map((id) => ({ id, ok: false, error: text }))
    }
  }

  return { progress, run }
}

import { countStatuses } from '../../flows/job-stats.ts'
import { watchRuns } from '../../flows/watch-runs.ts'
import { channels } from '../../runs/channels.ts'
import { queueDepth, runStats } from '../../runs/history.ts'
import { listWorkers } from '../../runs/workers.ts'
import type { Api, ApiContext } from '../context.ts'
import { streamSse, type SseMessage, type SseSource } from '../sse.ts'

const tags = ['scheduler']
const lookEveryMs = 2000
const dayMs = 24 * 3_600_000

/** The crawler as it goes: its queue, its health and its numbers, each said again when it has changed. */
export function liveEventRoutes(api: Api, context: ApiContext): void {
  const { sql, clock, log, stopping } = context

  const streams: Record<string, { summary: string; look: () => Promise<unknown> }> = {
    crawler: {
      summary: 'Runs that wait and are worked on, and jobs by state (SSE)',
      look: async () => ({ queue: await depth(), jobs: await countStatuses(sql) }),
    },
    health: {
      summary: 'Whether the crawler can do its work (SSE)',
      look: async () => {
        const workers = await listWorkers(sql)
        return { status: workers.length > 0 ? 'ok' : 'no_workers', workers: workers.length }
      },
    },
    metrics: {
      summary: 'How the runs of the last day went (SSE)',
      look: async () => {
        const stats = await runStats(sql, new Date(clock.now().getTime() - dayMs))
        return {
          total_runs: stats.total,
          successful_runs: stats.completed,
          failed_runs: stats.failed,
          articles_extracted: stats.items,
          success_rate: stats.successRate,
        }
      },
    },
  }

  for (const [name, { summary, look }] of Object.entries(streams)) {
    api.get(`/sse/${name}/events`, { schema: { summary, tags } }, async (request, reply) => {
      await streamSse(request, reply, whenChanged(name, look), { stopping })
    })
  }

  async function depth(): Promise<{ pending: number; running: number }> {
    const { pending, running } = await queueDepth(sql)
    return { pending, running }
  }

  /** Each message is the whole state, so a reader that missed some has lost nothing. */
  function whenChanged(event: string, look: () => Promise<unknown>): SseSource {
    let last = ''
    let id = Date.now()
    const news = async (): Promise<SseMessage[]> => {
      const data = await look()
      const text = JSON.stringify(data)
      if (text === last) return []
      last = text
      return [{ id: ++id, event, data }]
    }
    return {
      replay: news,
      subscribe: async (onMessage) => {
        const tell = (): void => {
          news().then(
            (messages) => messages.forEach(onMessage),
            () => {},
          )
        }
        const watch = await watchRuns(sql, channels.changed, () => true, tell, log, lookEveryMs)
        return () => watch.stop()
      },
    }
  }
}

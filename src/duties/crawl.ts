import type { ApiContext } from '../api/context.ts'
import type { Duty } from '../db/leader.ts'
import type { DutyPlan } from '../duties.ts'
import { openArchive } from '../archive/open.ts'
import { startArchiveCheck } from '../flows/archive-check.ts'
import { startArchiveRetention } from '../flows/archive-retention.ts'
import { startExecutingRuns } from '../flows/execute-runs.ts'
import type { CrawlTools } from './crawl-tools.ts'

/** Runs become pages: what a worker does. */
export const crawlDuties: DutyPlan[] = [
  { name: 'worker', role: 'worker', singleton: false, start: startWorker },
  {
    name: 'archive retention',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log, config }) =>
      startArchiveRetention({
        sql,
        clock,
        log,
        archive: openArchive(config, sql),
        bodyDays: config.archiveDays,
        pageDays: config.pageDays,
      }),
  },
  {
    name: 'archive check',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, log, config }) =>
      startArchiveCheck({ sql, log, archive: openArchive(config, sql) }),
  },
]

export type WorkerDeps = Pick<
  ApiContext,
  'sql' | 'clock' | 'log' | 'config' | 'instanceId' | 'allowedHosts'
>

/** Fetching and parsing are most of the program: they are loaded by the first run. */
export function startWorker(context: WorkerDeps): Duty {
  const { sql, clock, log, config, instanceId } = context
  // A bucket without its keys is told at start, not by the first run.
  openArchive(config, sql)
  let tools: Promise<CrawlTools> | null = null
  const open = async (): Promise<CrawlTools> => {
    try {
      return (await import('./crawl-tools.ts')).openCrawlTools(context)
    } catch (error) {
      tools = null
      throw error
    }
  }
  const worker = startExecutingRuns({
    sql,
    clock,
    log,
    instanceId,
    concurrency: config.workerConcurrency,
    leaseMs: config.leaseSeconds * 1000,
    maxRunMs: config.maxRunMinutes * 60_000,
    execute: async (run, runContext) => {
      tools ??= open()
      return (await tools).execute(run, runContext)
    },
  })
  return {
    stop: async () => {
      await worker.stop()
      await (await tools)?.close()
    },
  }
}

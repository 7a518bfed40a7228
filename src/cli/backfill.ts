import { SingleBar } from 'cli-progress'
import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { backfillStages } from '../flows/backfill-stages.ts'
import { silentLog } from '../kernel/log.ts'

/** Records stage events for what happened before there were any. May be stopped; the next call goes on. */
export async function backfill(options: { restart?: boolean }): Promise<void> {
  const config = loadConfig()
  const database = await openDatabase(config, 'backfill', silentLog)
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const bars: { name: string; shown: SingleBar }[] = []
  try {
    await migrate(database.sql)
    const results = await backfillStages(database.sql, {
      now: new Date(),
      retentionMonths: config.pipelineRetentionMonths,
      restart: options.restart ?? false,
      signal: stopping.signal,
      onProgress: ({ name, done, total, created }) => {
        if (!process.stdout.isTTY) return
        if (bars.at(-1)?.name !== name) {
          bars.at(-1)?.shown.stop()
          const shown = new SingleBar({
            format: '{name} [{bar}] {value}/{total} · {created} new · {eta_formatted}',
          })
          shown.start(total, done, { name: name.padEnd(36), created })
          bars.push({ name, shown })
        }
        bars.at(-1)?.shown.setTotal(total)
        bars.at(-1)?.shown.update(done, { created })
      },
    })
    bars.at(-1)?.shown.stop()
    for (const { name, done, created } of results)
      console.log(`${name.padEnd(36)} ${done} rows, ${created} events recorded`)
    if (stopping.signal.aborted) console.log('Stopped. Run it again to go on from here.')
  } finally {
    await database.close()
  }
}

import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { reconcileDay, replayDay } from '../flows/reconcile-stages.ts'
import { Stop } from '../kernel/errors.ts'
import { silentLog } from '../kernel/log.ts'
import { formatReport } from '../stages/report.ts'

/** Prints how the stage events of a day compare with the tables of the work, and closes the gaps when asked to. */
export async function reconcileStages(options: {
  day?: string
  replay?: boolean
  json?: boolean
}): Promise<void> {
  const day = options.day ?? new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new Stop(`--day: "${day}" is not a day such as 2026-02-10`)
  const database = await openDatabase(loadConfig(), 'reconcile', silentLog)
  try {
    await migrate(database.sql)
    const report = await reconcileDay(database.sql, day)
    console.log(options.json ? JSON.stringify(report) : formatReport(report))
    if (!options.replay) return
    const added = await replayDay(database.sql, day)
    for (const [stage, events] of added) console.log(`recorded ${stage}: ${events}`)
    console.log(formatReport(await reconcileDay(database.sql, day)))
  } finally {
    await database.close()
  }
}

import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { createPlanner } from '../flows/planner.ts'
import { reconcile } from '../flows/reconcile.ts'
import { systemClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'

/** Safe beside a running Millrace: it holds the same locks as the event consumers. */
export async function reconcileOnce(options: { json?: boolean }): Promise<void> {
  const config = loadConfig()
  const { sql, close } = await openDatabase(config, 'reconcile', silentLog)
  try {
    await migrate(sql)
    const report = await reconcile({
      sql,
      clock: systemClock,
      log: silentLog,
      planner: createPlanner(sql, systemClock),
      createMissing: config.autoManageNewSources,
    })
    if (options.json) {
      console.log(JSON.stringify(report))
      return
    }
    for (const [name, value] of Object.entries(report))
      console.log(`${name.replaceAll('_', ' ').padEnd(16)} ${value}`)
  } finally {
    await close()
  }
}

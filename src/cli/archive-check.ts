import { openArchive } from '../archive/open.ts'
import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { checkArchive } from '../flows/archive-check.ts'
import { silentLog } from '../kernel/log.ts'

/** Reads every archived body once; ends with 1 when some were lost. */
export async function checkBodies(options: { json?: boolean }): Promise<void> {
  const config = loadConfig()
  const { sql, close } = await openDatabase(config, 'archive-check', silentLog)
  try {
    await migrate(sql)
    const report = await checkArchive({ sql, archive: openArchive(config, sql) })
    const lost = report.missing.length + report.damaged.length
    if (options.json === true) console.log(JSON.stringify(report))
    else {
      console.log(
        `${report.checked} bodies read, ${report.missing.length} missing, ${report.damaged.length} damaged`,
      )
      for (const hash of report.missing) console.log(`missing  ${hash}`)
      for (const { hash, reason } of report.damaged) console.log(`damaged  ${hash}  ${reason}`)
      if (lost > 0) console.log('Their pages are fetched again with the next run of their source.')
    }
    if (lost > 0) process.exitCode = 1
  } finally {
    await close()
  }
}

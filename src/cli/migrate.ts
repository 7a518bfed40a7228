import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { silentLog } from '../kernel/log.ts'

export async function migrateOnce(): Promise<void> {
  const database = await openDatabase(loadConfig(), 'migrate', silentLog)
  try {
    const { applied, latest } = await migrate(database.sql)
    for (const name of applied) console.log(`applied ${name}`)
    console.log(
      applied.length === 0 ? `up to date at version ${latest}` : `now at version ${latest}`,
    )
  } finally {
    await database.close()
  }
}

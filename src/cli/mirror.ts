import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { Stop } from '../kernel/errors.ts'
import { silentLog } from '../kernel/log.ts'
import { queueEverything, startMirror } from '../mirror/store.ts'

/** Queues every item for the search mirror again; the running server sends them. */
export async function rebuildMirror(): Promise<void> {
  const config = loadConfig()
  if (config.elasticsearchUrl === null)
    throw new Stop('There is no search mirror: set ELASTICSEARCH_URL and start Millrace with it.')
  const database = await openDatabase(config, 'mirror', silentLog)
  try {
    await migrate(database.sql)
    await startMirror(database.sql, new Date())
    const queued = await queueEverything(database.sql)
    console.log(`${queued} items queued; they are sent while Millrace runs.`)
  } finally {
    await database.close()
  }
}

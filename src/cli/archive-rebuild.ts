import { openArchive } from '../archive/open.ts'
import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { rebuildArchive } from '../flows/archive-rebuild.ts'
import { Stop } from '../kernel/errors.ts'
import { silentLog } from '../kernel/log.ts'

/** Tells the database again where archived bodies are, by reading the packs. */
export async function rebuildIndex(options: { json?: boolean }): Promise<void> {
  const config = loadConfig()
  const { sql, close } = await openDatabase(config, 'archive-rebuild', silentLog)
  try {
    await migrate(sql)
    const report = await rebuildArchive({ sql, archive: openArchive(config, sql) })
    if (report === null)
      throw new Stop('Page bodies lie in a bucket (S3_ENDPOINT), where they need no index.')
    const { packs, bodies, restored } = report
    console.log(
      options.json === true
        ? JSON.stringify(report)
        : `${packs} packs read with ${bodies} bodies of pages; ${restored} were found again`,
    )
  } finally {
    await close()
  }
}

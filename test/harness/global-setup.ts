import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/db/embedded/launch.ts'
import { migrate } from '../../src/db/migrate.ts'
import { connect } from '../../src/db/pool.ts'
import { silentLog } from '../../src/kernel/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The embedded server of this test run; its `millrace` database is the migrated template. */
    postgresUrl: string
  }
}

/** Nothing here survives the run, so the server need not wait for the disk. */
const fastAndLoose = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-test-'))
  chmodSync(dataDir, 0o755)
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: fastAndLoose })
  const sql = connect(server.url, { max: 1 })
  await migrate(sql)
  await sql.end()
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(server.folder, { recursive: true, force: true })
  }
}

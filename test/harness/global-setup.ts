import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { provideServer } from '../../scripts/build-server.mjs'
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
  if (startsProcesses(process.argv.slice(2)) && !(await provideServer()))
    console.warn('The server cannot be built; tests start it from the sources.')
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

/** Only tests under test/ start the program; those beside the code need no build. */
function startsProcesses(args: readonly string[]): boolean {
  const excluded = args.some((arg, index) => args[index - 1] === '--exclude' && arg === 'test/**')
  const named = args.filter((arg) => /(?:^|\/)(?:src|test|clients|demo|contract)(?:\/|$)/.test(arg))
  return !excluded && (named.length === 0 || named.some((arg) => /(?:^|\/)test(?:\/|$)/.test(arg)))
}

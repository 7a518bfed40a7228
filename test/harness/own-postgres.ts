import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBinaries } from '../../src/db/embedded/binaries.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded/launch.ts'
import { serverOwner } from '../../src/db/embedded/owner.ts'
import { migrate } from '../../src/db/migrate.ts'
import { connect, type Sql } from '../../src/db/pool.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { waitFor } from './wait.ts'

const run = promisify(execFile)

export interface OwnPostgres {
  readonly url: string
  readonly sql: Sql
  /** Another database like the first; before anybody has used that one. */
  copy(name: string): Promise<{ url: string; sql: Sql }>
  /** The power cut: nobody says goodbye, and the server that comes back recovers from its log. */
  crash(): Promise<void>
  /** As a service manager would: with the options and on the port of the first start. */
  restart(): Promise<void>
  remove(): Promise<void>
}

/** A migrated server of its own, for tests that take it away. */
export async function startOwnPostgres(name: string): Promise<OwnPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), `millrace-${name}-`))
  chmodSync(dataDir, 0o755)
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const { folder } = server
  const template = connect(server.url, { max: 1 })
  await migrate(template)
  await template.end()
  const sql = connect(server.url, { max: 8 })
  const pools = [sql]

  const restart = async (...args: string[]): Promise<void> => {
    const owner = serverOwner()
    const options = ['--pgdata', folder, '--log', join(folder, 'server.log'), '--wait', '--silent']
    await run(join(findBinaries(owner), 'bin', 'pg_ctl'), [...options, 'restart', ...args], {
      ...owner.spawn,
      cwd: '/',
    })
  }
  return {
    url: server.url,
    sql,
    copy: async (copy) => {
      const url = new URL(server.url)
      url.pathname = '/postgres'
      const admin = connect(url.href, { max: 1 })
      await admin`create database ${admin(copy)} template millrace`
      await admin.end()
      url.pathname = `/${copy}`
      const pool = connect(url.href, { max: 8 })
      pools.push(pool)
      return { url: url.href, sql: pool }
    },
    crash: async () => {
      const pidFile = join(folder, 'postmaster.pid')
      process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL')
      // Its children notice one by one; as long as one lives, the folder is taken.
      await waitFor('Postgres to start again', async () => {
        await restart()
        return true
      })
    },
    restart: () => restart('--mode', 'fast'),
    remove: async () => {
      await Promise.all(pools.map((pool) => pool.end({ timeout: 2 })))
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

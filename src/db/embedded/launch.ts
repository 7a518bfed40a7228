import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { Stop, messageOf } from '../../kernel/errors.ts'
import { keptSecret } from '../../kernel/kept-secret.ts'
import type { Log } from '../../kernel/log.ts'
import { findBinaries, reachableFolder } from './binaries.ts'
import { serverOwner, type Owner } from './owner.ts'
import { leaveServer, useServer } from './users.ts'

const run = promisify(execFile)

export interface EmbeddedPostgres {
  url: string
  folder: string
  /** Ends our use; the last process to leave stops the server. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** Extra server settings, for tests that trade safety for speed. */
  settings?: Record<string, string>
}

const serverSettings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: `${bufferMb()}MB`,
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
}

const database = 'millrace'
const user = 'millrace'

/** Starts PostgreSQL in the data folder, or adopts the one a killed process left running there. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const owner = serverOwner()
  mkdirSync(options.dataDir, { recursive: true })
  const folder = reachableFolder(join(options.dataDir, 'postgres'), owner)
  const server = { folder, owner, binaries: findBinaries(owner), log: options.log }
  const release = await useServer(options.dataDir)
  try {
    const password = keptSecret(join(options.dataDir, 'postgres.password'), 24)
    if (!existsSync(join(folder, 'PG_VERSION'))) await initialize(server, password)
    const port =
      (await runningPort(folder, password)) ?? (await start(server, options.settings ?? {}))
    const url = `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
    await createDatabase(url)
    return {
      url,
      folder,
      stop: () => leaveServer(options.dataDir, () => stopServer(server)),
    }
  } finally {
    release()
  }
}

interface Server {
  folder: string
  owner: Owner
  binaries: string
  log: Log
}

/**
 * With a million items kept, each new one touches pages all over the indexes: 256 MB had to fetch 14 of them per item,
 * 1 GB fetches two, for about a tenth less of the server's time. A sixteenth of the memory, where there is much.
 */
function bufferMb(): number {
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  return Math.min(Math.max(Math.floor(memoryBytes / 16 / 1024 ** 2), 256), 1024)
}

/**
 * In a folder beside, which takes the name of the database when it is whole: PostgreSQL marks a folder as one before it
 * has anything in it, and one whose making was cut off can neither be started nor told from a good one.
 */
async function initialize(server: Server, password: string): Promise<void> {
  const parent = dirname(server.folder)
  mkdirSync(parent, { recursive: true })
  removeDrafts(server.folder)
  const draft = `${server.folder}.${process.pid}`
  mkdirSync(draft, { mode: 0o700 })
  const passwordFile = join(parent, `initdb-${process.pid}.password`)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  try {
    server.owner.takeOver(passwordFile)
    server.owner.takeOver(draft)
    await runTool(server, 'initdb', [
      '--pgdata',
      draft,
      '--username',
      user,
      '--pwfile',
      passwordFile,
      '--auth',
      'scram-sha-256',
      '--encoding',
      'UTF8',
      '--locale-provider',
      'builtin',
      '--locale',
      'C.UTF-8',
      '--no-instructions',
    ])
    rmSync(server.folder, { recursive: true, force: true })
    renameSync(draft, server.folder)
  } catch (error) {
    throw new Stop(`PostgreSQL could not be set up in ${server.folder}: ${outputOf(error)}`, {
      cause: error,
    })
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** Of first starts that were cut off. */
function removeDrafts(folder: string): void {
  const isDraft = new RegExp(`^${basename(folder)}\\.\\d+$`)
  for (const name of readdirSync(dirname(folder)))
    if (isDraft.test(name)) rmSync(join(dirname(folder), name), { recursive: true, force: true })
}

/** The port of a server that already runs on this folder and answers; clears the traces of one that does not. */
async function runningPort(folder: string, password: string): Promise<number | null> {
  const pidFile = join(folder, 'postmaster.pid')
  if (!existsSync(pidFile)) return null
  const [pid, , , port] = readFileSync(pidFile, 'utf8').split('\n')
  if (!isPostgres(Number(pid))) {
    rmSync(pidFile, { force: true })
    return null
  }
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline && isPostgres(Number(pid))) {
    if (await answers(Number(port), password)) return Number(port)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  if (isPostgres(Number(pid))) {
    throw new Stop(
      `PostgreSQL (process ${pid}) runs on ${folder} but does not answer on port ${port}. Stop it and try again.`,
    )
  }
  rmSync(pidFile, { force: true })
  return null
}

function isPostgres(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  // Process numbers are reused: make sure it is a postgres where the system can tell.
  const commandLine = `/proc/${pid}/cmdline`
  return existsSync(commandLine) ? readFileSync(commandLine, 'utf8').includes('postgres') : true
}

async function answers(port: number, password: string): Promise<boolean> {
  const probe = postgres({
    host: '127.0.0.1',
    port,
    user,
    password,
    database: 'postgres',
    max: 1,
    connect_timeout: 2,
  })
  try {
    await probe`select 1`
    return true
  } catch {
    return false
  } finally {
    await probe.end({ timeout: 1 })
  }
}

async function start(server: Server, extra: Record<string, string>): Promise<number> {
  const port = await freePort()
  const logFile = join(server.folder, 'server.log')
  const settings = { ...serverSettings, ...extra, port: String(port) }
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)
  try {
    await runTool(server, 'pg_ctl', [
      '--pgdata',
      server.folder,
      '--log',
      logFile,
      '--wait',
      '--timeout',
      '60',
      '--silent',
      '--options',
      flags.join(' '),
      'start',
    ])
    return port
  } catch (error) {
    throw new Stop(`PostgreSQL did not start; its log is ${logFile}. ${outputOf(error)}`, {
      cause: error,
    })
  }
}

async function stopServer(server: Server): Promise<void> {
  try {
    await runTool(server, 'pg_ctl', [
      '--pgdata',
      server.folder,
      '--mode',
      'fast',
      '--wait',
      '--timeout',
      '20',
      '--silent',
      'stop',
    ])
  } catch (error) {
    server.log.warn({ reason: outputOf(error) }, 'the embedded PostgreSQL did not stop cleanly')
  }
}

async function runTool(server: Server, tool: string, args: string[]): Promise<void> {
  await run(join(server.binaries, 'bin', tool), args, {
    ...server.owner.spawn,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    timeout: 90_000,
  })
}

async function createDatabase(url: string): Promise<void> {
  const admin = postgres(url, { database: 'postgres', max: 1, onnotice: () => {} })
  try {
    const [found] = await admin`select 1 from pg_database where datname = ${database}`
    if (found === undefined) await admin`create database ${admin(database)}`
  } finally {
    await admin.end()
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : 0),
      )
    })
  })
}

function outputOf(error: unknown): string {
  const stderr =
    typeof error === 'object' && error !== null && 'stderr' in error
      ? String(error.stderr).trim()
      : ''
  return stderr === '' ? messageOf(error) : stderr
}

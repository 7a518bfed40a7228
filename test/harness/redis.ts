import { createClient } from '@redis/client'
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from './wait.ts'

export interface TestRedis {
  readonly url: string
  /** Starts it again after stop or kill, on the same port with the data that was on disk. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Ends it without a chance to say goodbye. */
  kill(): Promise<void>
  remove(): Promise<void>
}

export type RedisClient = ReturnType<typeof createClient>

const folders = ['/usr/bin', '/usr/local/bin', '/usr/sbin', '/opt/homebrew/bin', '/snap/bin']
const binary =
  folders.map((folder) => join(folder, 'redis-server')).find((path) => existsSync(path)) ?? null

if (binary === null && process.env['CI'] === 'true')
  throw new Error('redis-server is missing; these tests must run in CI, so install it')

/** For describe.skipIf: true on a machine without Redis. */
export const noRedis = binary === null
if (noRedis) console.warn('redis-server is not installed: the tests with Redis Streams are skipped')

/** A real Redis of its own, on a free loopback port, that writes every command to its log. */
export async function startRedis(): Promise<TestRedis> {
  if (binary === null) throw new Error('redis-server is not installed')
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'millrace-redis-'))
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess | null = null

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child
    child = null
    if (running === null || running.exitCode !== null || running.signalCode !== null) return
    const exited = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    await exited
  }
  const redis: TestRedis = {
    url,
    start: async () => {
      const args = `--port ${port} --bind 127.0.0.1 --dir ${folder} --appendonly yes --appendfsync always --daemonize no`
      child = spawn(binary, [...args.split(' '), '--save', ''], { stdio: 'ignore' })
      await waitFor('Redis to answer', async () => {
        const client = await connectRedis(url)
        try {
          return (await client.ping()) === 'PONG'
        } finally {
          client.destroy()
        }
      })
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    remove: async () => {
      await end('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await redis.start()
  return redis
}

/** A client that fails instead of waiting when Redis is away. */
export async function connectRedis(url: string): Promise<RedisClient> {
  const client: RedisClient = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2000, reconnectStrategy: false },
  })
  // Without a listener a lost connection would end the process; the next command fails anyway.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    client.destroy()
    throw error
  }
  return client
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  spawnMillrace,
  startMillrace,
  temporaryFolder,
  type MillraceProcess,
} from '../harness/millrace.ts'
import { packagePath } from '../../src/kernel/package-root.ts'
import { waitFor } from '../harness/wait.ts'

const started: MillraceProcess[] = []
const folders: { remove(): void }[] = []
/** Made by the first test; those that are about a later start go on with it. */
const used = dataFolder()

afterEach(async () => {
  for (const millrace of started.splice(0)) await millrace.stop()
})

afterAll(() => {
  for (const folder of folders) folder.remove()
})

function dataFolder(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder.path
}

async function start(
  env: Record<string, string>,
  args?: string[],
  as?: { uid: number; gid: number },
): Promise<MillraceProcess> {
  const millrace = await startMillrace(env, args, as)
  started.push(millrace)
  return millrace
}

/** Process numbers of the servers that run on a data folder, as the system lists them. */
function postgresOn(folder: string): string[] {
  return execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`-D ${folder}/postgres`) && line.includes('bin/postgres'))
}

describe('one command starts a real Millrace', () => {
  test('it serves, a second start reuses the data, and stopping leaves no process behind', async () => {
    const env = { MILLRACE_DATA_DIR: used }
    const first = await start(env)
    const login = await fetch(`${first.url}/api/v1/auth/login-link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: first.loginToken }),
    })
    expect(login.status).toBe(200)
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const stopping = Date.now()
    expect(await first.stop()).toBe(0)
    expect(Date.now() - stopping).toBeLessThan(5000)
    expect(postgresOn(used)).toEqual([])

    const second = await start(env)
    const me = await fetch(`${second.url}/api/v1/auth/me`, { headers: { cookie } })
    expect(await me.json()).toMatchObject({ user: { role: 'admin' } })
  }, 60_000)

  test('a first start that was cut off leaves nothing that the next one takes for a database', async () => {
    const folder = dataFolder()
    const first = spawnMillrace({ MILLRACE_DATA_DIR: folder }, ['serve'])
    const making = (): boolean => readdirSync(folder).some((name) => /^postgres\.\d+$/.test(name))
    await waitFor('the database to be made', making, { timeoutMs: 60_000, everyMs: 5 })
    first.kill('SIGKILL')
    const second = await start({ MILLRACE_DATA_DIR: folder })
    expect((await fetch(`${second.url}/ready`)).status).toBe(200)
    expect(making()).toBe(false)
  }, 90_000)

  test('after a SIGKILL it comes up again and no second postgres is left running', async () => {
    const first = await start({ MILLRACE_DATA_DIR: used })
    first.kill('SIGKILL')
    await first.exited
    expect(postgresOn(used)).toHaveLength(1)

    const second = await start({ MILLRACE_DATA_DIR: used })
    expect((await fetch(`${second.url}/ready`)).status).toBe(200)
    expect(postgresOn(used)).toHaveLength(1)
    await second.stop()
    expect(postgresOn(used)).toEqual([])
  }, 60_000)

  test('two processes share one embedded database, and the last one stops it', async () => {
    const folder = dataFolder()
    const [first, second] = await Promise.all([
      start({ MILLRACE_DATA_DIR: folder }),
      start({ MILLRACE_DATA_DIR: folder }, ['serve', '--roles', 'worker']),
    ])
    expect(postgresOn(folder)).toHaveLength(1)
    await first.stop()
    expect(postgresOn(folder)).toHaveLength(1)
    await second.stop()
    expect(postgresOn(folder)).toEqual([])
  }, 60_000)

  test('a normal user runs it with everything in a home that nobody else may enter', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root, to become somebody else')
    const nobody = { uid: 65_534, gid: 65_534 }
    const mayRead = spawnSync('test', ['-r', packagePath('package.json')], { ...nobody, cwd: '/' })
    if (mayRead.status !== 0) context.skip('another user may not read this checkout')
    const home = dataFolder()
    chownSync(home, nobody.uid, nobody.gid)
    chmodSync(home, 0o700)
    const millrace = await start(
      { HOME: home, MILLRACE_DATA_DIR: `${home}/data` },
      undefined,
      nobody,
    )
    expect((await fetch(`${millrace.url}/ready`)).status).toBe(200)
    expect(await millrace.stop()).toBe(0)
    expect(postgresOn(`${home}/data`)).toEqual([])
  }, 60_000)

  test('a taken port is a clear message that names the variable', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await waitFor('the blocker to listen', () => blocker.listening)
    const address = blocker.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const child = spawnMillrace({ MILLRACE_DATA_DIR: used, PORT: String(port) }, ['serve'])
    let errors = ''
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    const code = await new Promise((resolve) => child.once('exit', resolve))
    blocker.close()
    expect(code).toBe(1)
    expect(errors).toContain(`Port ${port} is taken. Set PORT`)
    expect(postgresOn(used)).toEqual([])
  }, 60_000)
})

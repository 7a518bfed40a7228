import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isServerBuilt, serverProgram } from '../../scripts/build-server.mjs'
import { packagePath } from '../../src/kernel/package-root.ts'
import { waitFor } from './wait.ts'

export interface MillraceProcess {
  readonly url: string
  readonly loginToken: string
  readonly output: () => string
  readonly process: ChildProcess
  kill(signal: NodeJS.Signals): void
  /** Asks it to stop and waits; gives the exit code. */
  stop(): Promise<number | null>
  exited: Promise<number | null>
}

/** Starts `millrace serve` as its own process and waits until it is ready. */
export async function startMillrace(
  env: Record<string, string>,
  args: string[] = ['serve'],
  as: { uid?: number; gid?: number } = {},
): Promise<MillraceProcess> {
  const child = spawnMillrace(env, args, as)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => resolve(code)),
  )
  const banner = waitFor('the start banner', () => output.includes('roles  '), {
    timeoutMs: 60_000,
  })
  const early = exited.then((code): never => {
    throw new Error(`it ended with code ${code}`)
  })
  // Once it runs, its end is the test's business.
  early.catch(() => {})
  await Promise.race([banner, early]).catch((error: unknown) => {
    banner.catch(() => {})
    child.kill('SIGKILL')
    throw new Error(`Millrace did not start: ${output}`, { cause: error })
  })
  return {
    url: /running at (\S+)/.exec(output)?.[1] ?? '',
    loginToken: /token=(\S+)/.exec(output)?.[1] ?? '',
    output: () => output,
    process: child,
    kill: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM')
      return exited
    },
    exited,
  }
}

export function spawnMillrace(
  env: Record<string, string>,
  args: string[],
  as: { uid?: number; gid?: number } = {},
): ChildProcess {
  return spawn(process.execPath, [...program(), ...args], {
    cwd: packagePath(),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      PORT: '0',
      NO_COLOR: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...as,
  })
}

let builtProgram: boolean | undefined

/** The built program where it is up to date, which starts in a fraction of the time; else the sources. */
function program(): string[] {
  builtProgram ??= isServerBuilt()
  return builtProgram ? [serverProgram] : ['--import', 'tsx', packagePath('src', 'main.ts')]
}

/** A data folder that the database's own user can reach, removed by the returned function. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'millrace-data-'))
  chmodSync(path, 0o755)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

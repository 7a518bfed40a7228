import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Stop, codeOf } from '../../kernel/errors.ts'

// Several processes may share one embedded server (`serve --roles worker` beside `serve`). Each leaves a file with
// its process number; whoever finds no other living one on leaving stops the server.

const lockPatienceMs = 90_000

/** Registers this process and holds the start lock until the returned function is called. */
export async function useServer(dataDir: string): Promise<() => void> {
  const release = await lock(dataDir)
  mkdirSync(usersFolder(dataDir), { recursive: true })
  writeFileSync(join(usersFolder(dataDir), String(process.pid)), '')
  return release
}

export async function leaveServer(dataDir: string, stopServer: () => Promise<void>): Promise<void> {
  const release = await lock(dataDir)
  try {
    rmSync(join(usersFolder(dataDir), String(process.pid)), { force: true })
    if (otherUsers(dataDir).length === 0) await stopServer()
  } finally {
    release()
  }
}

function otherUsers(dataDir: string): number[] {
  const living: number[] = []
  for (const file of readdirSync(usersFolder(dataDir))) {
    if (isAlive(Number(file))) living.push(Number(file))
    else rmSync(join(usersFolder(dataDir), file), { force: true })
  }
  return living
}

/** A folder is created by exactly one process; a lock whose holder died is taken over. */
async function lock(dataDir: string): Promise<() => void> {
  const folder = join(dataDir, 'postgres.lock')
  const deadline = Date.now() + lockPatienceMs
  while (Date.now() < deadline) {
    try {
      mkdirSync(folder)
      writeFileSync(join(folder, String(process.pid)), '')
      return () => rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = Number(readFolder(folder)[0] ?? NaN)
    if (!Number.isNaN(holder) && !isAlive(holder)) rmSync(folder, { recursive: true, force: true })
    else await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Stop(
    `Another process has held ${folder} for over a minute. Remove that folder if none is starting.`,
  )
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function usersFolder(dataDir: string): string {
  return join(dataDir, 'postgres.users')
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
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

/** Locks that this process holds: a lock with our number that is not among them was left by one who had it before us. */
const held = new Set<string>()

/**
 * A folder that says who holds it. It appears with its holder inside, because a folder only takes the place of one that
 * is empty; and of those who find a dead holder, one can rename its mark.
 */
async function lock(dataDir: string): Promise<() => void> {
  const folder = join(dataDir, 'postgres.lock')
  const deadline = Date.now() + lockPatienceMs
  while (Date.now() < deadline) {
    if (appears(folder) || takesOver(folder)) {
      held.add(folder)
      return () => {
        held.delete(folder)
        leave(folder)
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Stop(
    `Another process has held ${folder} for over a minute. Remove that folder if none is starting.`,
  )
}

function appears(folder: string): boolean {
  if (existsSync(folder) && readFolder(folder).length > 0) return false
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  writeFileSync(join(draft, String(process.pid)), '')
  try {
    renameSync(draft, folder)
    return true
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (isTaken(error)) return false
    throw error
  }
}

function takesOver(folder: string): boolean {
  const [mark] = readFolder(folder)
  if (mark === undefined || isHolding(Number(mark), folder)) return false
  if (mark === String(process.pid)) return true
  try {
    renameSync(join(folder, mark), join(folder, String(process.pid)))
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Only what is ours: the next one may hold the folder as soon as it is empty. */
function leave(folder: string): void {
  rmSync(join(folder, String(process.pid)), { force: true })
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!isTaken(error) && codeOf(error) !== 'ENOENT') throw error
  }
}

function isHolding(pid: number, folder: string): boolean {
  return pid === process.pid ? held.has(folder) : isAlive(pid)
}

function isTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error) ?? '')
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

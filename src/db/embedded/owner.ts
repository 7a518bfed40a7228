import { chownSync, readFileSync, readdirSync, statSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The user the database server runs as: ourselves, or another one when we are root, which PostgreSQL refuses. */
export interface Owner {
  /** Options for child processes of the server. */
  readonly spawn: { uid?: number; gid?: number }
  mayReach(path: string): boolean
  takeOver(folder: string): void
}

export function serverOwner(): Owner {
  if (process.getuid?.() !== 0) {
    return { spawn: {}, mayReach: () => true, takeOver: () => {} }
  }
  const { uid, gid } = unprivilegedUser()
  return {
    spawn: { uid, gid },
    mayReach: (path) => mayTraverse(path, uid, gid),
    takeOver: (folder) => chownAll(folder, uid, gid),
  }
}

function unprivilegedUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  return { uid: Number(found?.[2] ?? 65_534), gid: Number(found?.[3] ?? 65_534) }
}

/** True when every existing folder on the way lets the user through. */
function mayTraverse(path: string, uid: number, gid: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats !== undefined) {
    const allowed =
      stats.uid === uid
        ? stats.mode & 0o100
        : stats.gid === gid
          ? stats.mode & 0o010
          : stats.mode & 0o001
    if (stats.isDirectory() && allowed === 0) return false
  }
  const parent = dirname(path)
  return parent === path ? true : mayTraverse(parent, uid, gid)
}

function chownAll(path: string, uid: number, gid: number): void {
  const stats = lstatSync(path)
  if (stats.uid !== uid) chownSync(path, uid, gid)
  if (!stats.isDirectory()) return
  for (const entry of readdirSync(path)) chownAll(join(path, entry), uid, gid)
}

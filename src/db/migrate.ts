import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Stop } from '../kernel/errors.ts'
import { packagePath } from '../kernel/package-root.ts'
import type { Sql, Tx } from './pool.ts'

interface Migration {
  version: number
  name: string
  checksum: string
  statements: string
}

export interface MigrationReport {
  applied: string[]
  latest: number
}

const migrationLock = 0x6d696c6c // "mill": one process migrates, the others wait for it

/** Brings the schema up to date. Safe when several processes start at once. */
export async function migrate(
  sql: Sql,
  folder = packagePath('migrations'),
): Promise<MigrationReport> {
  const migrations = readMigrations(folder)
  const reserved = await sql.reserve()
  try {
    await reserved`set statement_timeout = 0`
    await reserved`select pg_advisory_lock(${migrationLock})`
    await reserved`
      create table if not exists schema_migrations (
        version integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`
    const done = await appliedMigrations(reserved)
    const pending = pendingMigrations(migrations, done)
    for (const migration of pending) await apply(reserved, migration)
    return {
      applied: pending.map((migration) => migration.name),
      latest: migrations.at(-1)?.version ?? 0,
    }
  } finally {
    await reserved`select pg_advisory_unlock(${migrationLock})`.catch(() => {})
    await reserved`reset statement_timeout`.catch(() => {})
    reserved.release()
  }
}

/** How many migrations of this program the database still lacks. */
export async function countPending(sql: Sql, folder = packagePath('migrations')): Promise<number> {
  const done = await appliedMigrations(sql)
  return readMigrations(folder).filter((migration) => !done.has(migration.version)).length
}

function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const statements = readFileSync(join(folder, file), 'utf8')
      return {
        version: Number(file.slice(0, 4)),
        name: file.replace(/\.sql$/, ''),
        checksum: createHash('sha256').update(statements).digest('hex'),
        statements,
      }
    })
}

async function appliedMigrations(sql: Sql): Promise<Map<number, string>> {
  const rows = await sql<{ version: number; checksum: string }[]>`
    select version, checksum from schema_migrations`
  return new Map(rows.map((row) => [row.version, row.checksum]))
}

function pendingMigrations(migrations: Migration[], done: Map<number, string>): Migration[] {
  const known = new Set(migrations.map((migration) => migration.version))
  const newer = [...done.keys()].filter((version) => !known.has(version))
  if (newer.length > 0) {
    throw new Stop(
      `The database has migrations this version does not know (${newer.join(', ')}). Start a newer Millrace.`,
    )
  }
  for (const migration of migrations) {
    const checksum = done.get(migration.version)
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new Stop(
        `Migration ${migration.name} was changed after it was applied. Restore the file; write a new migration instead.`,
      )
    }
  }
  return migrations.filter((migration) => !done.has(migration.version))
}

async function apply(sql: Sql, migration: Migration): Promise<void> {
  // A reserved connection has no begin(); the file and its mark commit together.
  await sql`begin`
  try {
    await (sql as unknown as Tx).unsafe(migration.statements)
    await sql`
      insert into schema_migrations (version, name, checksum)
      values (${migration.version}, ${migration.name}, ${migration.checksum})`
    await sql`commit`
  } catch (error) {
    await sql`rollback`
    throw new Stop(
      `Migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    )
  }
}

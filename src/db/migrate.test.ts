import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { migrate } from './migrate.ts'
import { connect } from './pool.ts'

const database = useDatabase()

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-migrations-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

async function emptyDatabase(name: string): Promise<ReturnType<typeof connect>> {
  await database.sql`create database ${database.sql(name)} template template0`
  const url = new URL(database.url)
  url.pathname = `/${name}`
  return connect(url.href, { max: 4 })
}

test('several processes migrating at once apply each migration once', async () => {
  const folder = folderWith({
    '0001_a.sql': 'create table a (id int)',
    '0002_b.sql': 'create table b (id int)',
  })
  const sql = await emptyDatabase('migrate_together')
  const reports = await Promise.all([
    migrate(sql, folder),
    migrate(sql, folder),
    migrate(sql, folder),
  ])
  expect(reports.map((report) => report.applied.length).sort((a, b) => a - b)).toEqual([0, 0, 2])
  await sql.end()
})

test('a failing migration leaves nothing behind and says which one', async () => {
  const folder = folderWith({ '0001_a.sql': 'create table a (id int); create table a (id int);' })
  const sql = await emptyDatabase('migrate_failing')
  await expect(migrate(sql, folder)).rejects.toThrow('0001_a failed')
  const [row] = await sql`select to_regclass('a') as table`
  expect(row?.['table']).toBeNull()
  await sql.end()
})

test('a migration that was edited after it ran is refused', async () => {
  const folder = folderWith({ '0001_a.sql': 'create table a (id int)' })
  const sql = await emptyDatabase('migrate_edited')
  await migrate(sql, folder)
  writeFileSync(join(folder, '0001_a.sql'), 'create table a (id bigint)')
  await expect(migrate(sql, folder)).rejects.toThrow('was changed after it was applied')
  await sql.end()
})

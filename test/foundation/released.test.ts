import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { connect } from '../../src/db/pool.ts'
import { dumpSchema } from '../../src/db/schema-dump.ts'
import { packagePath } from '../../src/kernel/package-root.ts'
import { useDatabase } from '../harness/database.ts'

const database = useDatabase()

/** The migrations of the last release with their sums: installations have run exactly these. */
const released = readFileSync(packagePath('migrations', 'released.sha256'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('  '))
  .map(([sum = '', file = '']) => ({ sum, file }))

test('a migration that was released is as it was', () => {
  const changed = released.filter(({ sum, file }) => {
    const text = readFileSync(packagePath('migrations', file))
    return createHash('sha256').update(text).digest('hex') !== sum
  })
  expect(changed.map(({ file }) => file)).toEqual([])
})

test('a database of the last release becomes what a new one is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-released-'))
  for (const { file } of released) copyFileSync(packagePath('migrations', file), join(folder, file))
  await database.sql`create database last_release template template0`
  const url = new URL(database.url)
  url.pathname = '/last_release'
  const sql = connect(url.href, { max: 2 })
  try {
    await migrate(sql, folder)
    await migrate(sql)
    const expected = readFileSync(packagePath('docs', 'schema.sql'), 'utf8')
    expect(await dumpSchema(sql)).toBe(expected)
  } finally {
    await sql.end()
    await database.sql`drop database last_release with (force)`
  }
})

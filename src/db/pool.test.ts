import { expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'

const database = useDatabase()

test('every test file gets a migrated database of its own', async () => {
  const [row] = await database.sql`select count(*)::int as migrations from schema_migrations`
  expect(row?.['migrations']).toBeGreaterThan(0)
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { packagePath } from '../kernel/package-root.ts'
import { dumpSchema } from './schema-dump.ts'

const database = useDatabase()

test('docs/schema.sql is the schema that the migrations make (npm run schema writes it)', async () => {
  expect(await dumpSchema(database.sql)).toBe(
    readFileSync(packagePath('docs', 'schema.sql'), 'utf8'),
  )
})

// `npm run schema`: writes docs/schema.sql from a freshly migrated database.
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/db/embedded/launch.ts'
import { migrate } from '../src/db/migrate.ts'
import { connect } from '../src/db/pool.ts'
import { dumpSchema } from '../src/db/schema-dump.ts'
import { silentLog } from '../src/kernel/log.ts'
import { packagePath } from '../src/kernel/package-root.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'millrace-schema-'))
chmodSync(dataDir, 0o755)
const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
const sql = connect(server.url, { max: 2 })
try {
  await migrate(sql)
  writeFileSync(packagePath('docs', 'schema.sql'), await dumpSchema(sql))
} finally {
  await sql.end()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

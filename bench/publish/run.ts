// npm run bench:publish: items against routes, and deliveries to a webhook receiver and to Redis. Sizes by BENCH_ITEMS,
// BENCH_ROUTES and BENCH_DELIVERIES.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/db/embedded/launch.ts'
import { migrate } from '../../src/db/migrate.ts'
import { connect } from '../../src/db/pool.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { measureDeliveries } from './deliveries.ts'
import { measureMatching } from './matching.ts'

const items = Number(process.env['BENCH_ITEMS'] ?? 50_000)
const routes = Number(process.env['BENCH_ROUTES'] ?? 200)
const deliveries = Number(process.env['BENCH_DELIVERIES'] ?? 5_000)

const matching = measureMatching(items, routes)
const dataDir = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
chmodSync(dataDir, 0o755)
const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
const sql = connect(server.url, { max: 8 })
try {
  await migrate(sql)
  const delivered = await measureDeliveries(sql, deliveries)
  print({ ...matching.figures, ...delivered }, matching.ratios)
} finally {
  await sql.end()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(server.folder, { recursive: true, force: true })
}

function print(figures: Record<string, number>, ratios: Record<string, number>): void {
  for (const [name, value] of Object.entries({ ...figures, ...ratios }))
    console.log(`${name.padEnd(44)} ${value.toLocaleString('en')}`)
  console.log(JSON.stringify({ bench: 'publish', ratios, figures }))
}

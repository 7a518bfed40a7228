import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTokens } from '../../src/access/tokens.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded/launch.ts'
import { connect, type Sql } from '../../src/db/pool.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { startMillrace, type MillraceProcess } from '../../test/harness/millrace.ts'
import { waitFor } from '../../test/harness/wait.ts'

export interface Measured {
  sources: number
  importMs: number
  totalMs: number
}

const secret = 'a-secret-for-the-lifecycle-bench'
/** What the spec computes for depth 2 and a rate limit of 10. */
const minutesOf = { low: 180, normal: 60, high: 30, critical: 15 }

/** A fresh database and a fresh process; the import is one request, the end is when every job is there and right. */
export async function measureImport(sources: number, redisUrl: string | null): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  chmodSync(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: folder, log: silentLog })
  const sql = connect(server.url, { max: 2 })
  let millrace: MillraceProcess | null = null
  try {
    millrace = await startMillrace(
      {
        DATABASE_URL: server.url,
        MILLRACE_DATA_DIR: folder,
        MILLRACE_LOG_LEVEL: 'error',
        AUTH_JWT_SECRET: secret,
        ...(redisUrl !== null && { REDIS_URL: redisUrl }),
      },
      // No worker: nobody shall fetch these addresses.
      ['serve', '--roles', 'api,scheduler,relay'],
    )
    const file = csv(sources)
    const token = createTokens(secret).signService('bench', 'admin', 3_600_000)
    const started = performance.now()
    const response = await fetch(`${millrace.url}/api/v1/sources/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: file,
    })
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
    const importMs = performance.now() - started
    await waitFor('every job', async () => (await countRight(sql)) === sources, {
      timeoutMs: 600_000,
      everyMs: 50,
    })
    const totalMs = performance.now() - started
    if (redisUrl !== null) await waitFor('the relay', () => allRelayed(sql), { timeoutMs: 60_000 })
    return { sources, importMs, totalMs }
  } finally {
    await millrace?.stop()
    await sql.end({ timeout: 2 })
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
    rmSync(server.folder, { recursive: true, force: true })
  }
}

function csv(sources: number): string {
  const priorities = Object.keys(minutesOf)
  const rows = Array.from(
    { length: sources },
    (_, i) =>
      `Source ${i},https://site-${i}.example.com/news,${priorities[i % priorities.length]},10,2,"imported,bench"`,
  )
  return `name,url,priority,rate_limit,max_depth,tags\n${rows.join('\n')}\n`
}

async function countRight(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from jobs j join sources s on s.id = j.source_id
    where j.auto_managed and j.url = s.url and j.next_run_at is not null
      and j.interval_minutes = (${sql.json(minutesOf)}::jsonb ->> s.priority)::int`
  return row?.count ?? 0
}

async function allRelayed(sql: Sql): Promise<boolean> {
  const rows = await sql`select 1 from source_events where relayed_at is null limit 1`
  return rows.length === 0
}

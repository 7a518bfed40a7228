import { afterAll, expect, test } from 'vitest'
import { createTokens } from '../../src/access/tokens.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { readFunnel } from '../../src/stages/funnel.ts'
import { createIngest } from '../../src/stages/ingest.ts'
import { stageNames } from '../../src/stages/kinds.ts'
import type { StageEvent } from '../../src/stages/record.ts'
import { inSnapshot } from '../../src/stages/snapshot.ts'
import { useDatabase } from '../harness/database.ts'
import { startMillrace, temporaryFolder } from '../harness/millrace.ts'
import { waitFor } from '../harness/wait.ts'
import { naiveFunnel } from './naive.ts'

const database = useDatabase()
const folder = temporaryFolder()
afterAll(() => folder.remove())

const secret = 'a-secret-for-the-killed-server'
const start = Date.now() - 60_000
const range = { from: new Date(start - 3_600_000), to: new Date(start + 3_600_000) }

function batchOf(batch: number): StageEvent[] {
  return Array.from({ length: 20 }, (_, index) => ({
    url: `https://example.com/${batch}/${index >> 2}`,
    source: { id: null, name: `source-${batch % 3}` },
    stage: stageNames[index % 4] ?? 'crawled',
    occurredAt: new Date(start + index),
    serviceName: 'killed',
  }))
}

test(
  'a server killed while it takes events has stored all it acknowledged, and takes the rest again without counting twice',
  { timeout: 120_000 },
  async () => {
    const millrace = await startMillrace(
      {
        DATABASE_URL: database.url,
        MILLRACE_DATA_DIR: folder.path,
        MILLRACE_DATABASE_POOL: '4',
        AUTH_JWT_SECRET: secret,
        PIPELINE_EVENTS_PER_SECOND: '1000000',
      },
      ['serve', '--roles', 'api'],
    )
    const acknowledged: number[] = []
    let sent = 0
    const send = async (): Promise<void> => {
      for (;;) {
        const batch = sent++
        if (!(await post(millrace.url, batchOf(batch)))) return
        acknowledged.push(batch)
        if (acknowledged.length === 25) millrace.kill('SIGKILL')
      }
    }
    try {
      await Promise.all([send(), send(), send(), send()])
    } finally {
      millrace.kill('SIGKILL')
      await millrace.exited
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(25)
    await waitFor('its transactions to end', async () => {
      const open = await database.sql`
        select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
      return open.length === 0
    })

    const ingest = createIngest(database.sql, systemClock)
    for (const batch of acknowledged)
      expect(new Set(await ingest.store(batchOf(batch)))).toEqual(new Set(['duplicate']))
    const all = Array.from({ length: sent }, (_, batch) => batchOf(batch))
    for (const batch of all) await ingest.store(batch)
    await inSnapshot(database.sql, systemClock, async (snapshot) => {
      expect(await readFunnel(snapshot, range)).toEqual(naiveFunnel(all.flat(), range, new Map()))
    })
  },
)

/** False when the server is gone. */
async function post(url: string, events: StageEvent[]): Promise<boolean> {
  const token = createTokens(secret).signService('test', 'operator', 3_600_000)
  try {
    const answer = await fetch(`${url}/api/v1/events/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        events: events.map((event) => ({
          article_url: event.url,
          source_name: event.source.name,
          stage: event.stage,
          occurred_at: event.occurredAt.toISOString(),
          service_name: event.serviceName,
        })),
      }),
    })
    if (answer.status !== 201) throw new RangeError(`${answer.status}: ${await answer.text()}`)
    await answer.text()
    return true
  } catch (error) {
    if (error instanceof RangeError) throw error
    return false
  }
}

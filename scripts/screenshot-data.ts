// What the pictures show: the demo web, crawled, with routes, rules, a channel and a little trouble.
import { connect, transaction } from '../src/db/pool.ts'
import { startEmbeddedPostgres } from '../src/db/embedded/launch.ts'
import { writeDeadLetters } from '../src/deadletters/store.ts'
import { newId } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { waitFor } from '../test/harness/wait.ts'

type Call = <T>(path: string, body?: object) => Promise<T>

interface Listed {
  id: string
  url: string
  job_id: string | null
  last_run_at: string | null
}

export async function fillTheDemo(url: string, cookie: string, dataDir: string): Promise<void> {
  const call: Call = async <T>(path: string, body?: object) => {
    const answer = await fetch(url + path, {
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  await call('/api/v1/demo/load', {})
  const sources = await crawl(call)
  await publish(call, sources[0]?.url ?? '')
  await addTrouble(dataDir, sources)
}

async function crawl(call: Call): Promise<Listed[]> {
  const listed = async () => (await call<{ data: Listed[] }>('/api/v1/sources?limit=100')).data
  const planned = await waitFor('jobs of all demo sources', async () => {
    const data = await listed()
    return data.length > 20 && data.every((source) => source.job_id !== null) && data
  })
  await call('/api/v1/jobs/bulk', {
    action: 'force-run',
    source_ids: planned.map((source) => source.id),
  })
  await waitFor(
    'nearly all demo sources to have been crawled',
    async () => (await listed()).filter((source) => source.last_run_at !== null).length >= 20,
    { timeoutMs: 240_000, everyMs: 1000 },
  )
  return planned
}

async function publish(call: Call, site: string): Promise<void> {
  const keywords = (...terms: string[]) => terms.map((term) => ({ term }))
  await call('/api/v1/topics', {
    name: 'Music',
    topic: 'music',
    keywords: keywords('muziek*', 'concert*', 'band', 'jazz', 'koor'),
    min_confidence: 0.3,
  })
  await call('/api/v1/topics', {
    name: 'Food and drink',
    topic: 'food',
    keywords: keywords('koffie*', 'bier*', 'proeverij', 'markt', 'brewery'),
    min_confidence: 0.3,
  })
  // The demo web takes no messages, so the page of deliveries has something to explain.
  const channel = await call<{ id: string }>('/api/v1/channels', {
    name: 'Town app',
    kind: 'webhook',
    config: { url: new URL('/hook', site).href },
  })
  await call('/api/v1/reclassifications', { filter: {} })
  const routes = [
    { name: 'Music for the app', channel_id: channel.id, filters: { topics_any: ['music'] } },
    { name: 'Dutch news', filters: { kinds: ['article'], languages: ['nl'], min_quality: 50 } },
    {
      name: 'Around Utrecht',
      filters: { kinds: ['calendar_event'], near: { lat: 52.09, lng: 5.12, radius_km: 25 } },
    },
  ]
  for (const route of routes) {
    const { id } = await call<{ id: string }>('/api/v1/routes', route)
    await call(`/api/v1/routes/${id}/backfill`, {})
  }
  await waitFor(
    'deliveries',
    async () => (await call<{ total: number }>('/api/v1/deliveries?limit=1')).total > 20,
    { timeoutMs: 60_000 },
  )
}

/** Nothing of the demo fails for good, so these are written as the stages would. */
async function addTrouble(dataDir: string, sources: readonly Listed[]): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const sql = connect(postgres.url)
  const problems = [
    ['normalize', 'no_date', 'No date found in “Vrijdag om acht uur”'],
    ['normalize', 'no_date', 'No date found in “every other week”'],
    ['normalize', 'no_place', 'The venue “De Oude Loods” is not known'],
    ['dedup', 'timeout', 'The comparison took longer than 30 s'],
    ['publish', 'database', 'The connection to the database was lost'],
  ] as const
  await transaction(sql, (tx) =>
    writeDeadLetters(
      tx,
      problems.map(([stage, errorType, errorMessage], index) => ({
        stage,
        subject: newId(),
        jobId: null,
        sourceId: sources[index]?.id ?? null,
        errorType,
        errorMessage,
        errorStack: null,
        payload: { item_id: newId(), kind: 'article' },
      })),
      new Date(),
    ),
  )
  await sql.end()
  await postgres.stop()
}

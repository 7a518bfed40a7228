// What the pictures show: the demo web, crawled, with routes, rules, a channel and a little trouble.
import { connect, transaction, type Sql } from '../src/db/pool.ts'
import { startEmbeddedPostgres } from '../src/db/embedded/launch.ts'
import { writeDeadLetters } from '../src/deadletters/store.ts'
import { addCandidate } from '../src/discover/candidates.ts'
import type { Sign } from '../src/discover/judge.ts'
import { planPlaces } from '../src/discover/places.ts'
import { newId } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { settleAlerts, type Finding } from '../src/notify/alerts.ts'
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
  await addAlerts(sql, sources)
  await addCandidates(sql)
  await sql.end()
  await postgres.stop()
}

async function addAlerts(sql: Sql, sources: readonly Listed[]): Promise<void> {
  const subject = sources[3]?.id ?? ''
  const findings: Finding[] = [
    {
      kind: 'source_disabled',
      subject,
      title: 'Source "De Merwebode" was switched off: 10 runs failed in a row',
      details: { source: 'De Merwebode', reason: '10 runs failed in a row: HTTP 503' },
    },
    {
      kind: 'channel_failing',
      subject: 'town-app',
      title: 'Channel "Town app" cannot be reached; deliveries wait',
      details: { channel: 'Town app', waiting: 41, last_error: 'HTTP 404' },
    },
    {
      kind: 'dead_letters',
      subject: 'normalize',
      title: 'Dead letters of the stage normalize are growing',
      details: { stage: 'normalize', in_the_last_hour: 57 },
    },
  ]
  await transaction(sql, (tx) => settleAlerts(tx, findings, new Date()))
  await sql`
    update alerts set acknowledged_at = now(), acknowledged_by = 'robin@example.org' where kind = 'dead_letters'`
}

async function addCandidates(sql: Sql): Promise<void> {
  const now = new Date()
  const place = { name: 'Utrecht', country: 'NL', lat: 52.09, lng: 5.12, population: 361_924 }
  await planPlaces(sql, [place], now, now)
  const [row] = await sql<{ id: string }[]>`
    update discovery_places set status = 'completed', checkpoint = cardinality(queries), found = 4, searched_at = now()
    returning id`
  const found: [string, string, number, Sign[]][] = [
    [
      'TivoliVredenburg | Agenda',
      'https://tivoli.example/agenda/',
      0.95,
      ['events_found', 'many_events_found', 'upcoming_events', 'calendar_feed', 'agenda_address'],
    ],
    [
      'Uitagenda Utrecht: wat te doen dit weekend',
      'https://uitagenda.example/utrecht',
      0.8,
      ['events_found', 'upcoming_events', 'agenda_title', 'names_the_place'],
    ],
    [
      'Nieuws uit de wijk',
      'https://wijknieuws.example/nieuws',
      0.25,
      ['names_the_place', 'only_articles'],
    ],
    ['Stadspodium', 'https://stadspodium.example/programma', 0.35, ['not_read', 'agenda_address']],
  ]
  for (const [title, url, confidence, reasons] of found)
    await addCandidate(
      sql,
      {
        urlKey: url,
        url,
        title,
        placeId: row?.id ?? '',
        query: 'agenda Utrecht',
        confidence,
        reasons,
        needsReview: reasons.includes('not_read'),
        settings: { name: title, kind: 'events', priority: 'normal', max_depth: 2 },
      },
      now,
    )
}

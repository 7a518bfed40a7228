import { beforeAll, expect, test } from 'vitest'
import { transaction } from '../../src/db/pool.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { registerStageGauges } from '../../src/flows/stage-gauges.ts'
import { urlHash } from '../../src/kernel/url.ts'
import {
  foundItemAddress,
  itemAddress,
  recordStage,
  type StageEvent,
} from '../../src/stages/record.ts'
import { addEvent, addSource } from '../publish/fixture.ts'
import { useDatabase } from '../harness/database.ts'
import { useApi } from '../harness/api.ts'

const clock = manualClock('2026-02-10T15:42:03Z')
const database = useDatabase()
const server = useApi(database, { clock })

const get = async (path: string) => {
  const answer = await server.api.inject({ url: path, headers: server.as('viewer') })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}
const at = (
  stage: StageEvent['stage'],
  time: string,
  metadata: Record<string, unknown> = {},
  page = 1,
): StageEvent => ({
  url: `https://example.com/${page}`,
  source: { id: null, name: page < 9 ? 'example_com' : 'news_site' },
  stage,
  occurredAt: new Date(time),
  serviceName: 'test',
  metadata,
})

beforeAll(async () => {
  const events = [
    at('crawled', '2026-02-10T10:00:00Z'),
    at('crawled', '2026-02-10T11:00:00Z'),
    at('classified', '2026-02-10T10:11:12Z', {
      model_version: 'v2.0',
      quality_score: 68,
      topics: ['crime'],
    }),
    at('classified', '2026-02-10T12:00:00Z', {
      model_version: 'v2.1',
      quality_score: 74,
      topics: ['news'],
      is_reclassification: true,
    }),
    at('published', '2026-02-10T10:11:48Z', { channel: 'articles:news' }),
    at('crawled', '2026-02-09T23:30:00Z', {}, 9),
  ]
  await transaction(database.sql, (tx) => recordStage(tx, events))
})

test('the funnel has the form of the specification, with one boundary for all stages', async () => {
  const { status, body } = await get('/api/v1/funnel')

  expect(status).toBe(200)
  expect(body).toMatchObject({
    period: 'today',
    timezone: 'UTC',
    from: '2026-02-10T00:00:00.000Z',
    to: '2026-02-10T15:42:03.000Z',
    generated_at: '2026-02-10T15:42:03.000Z',
    stages: [
      { name: 'crawled', count: 2, unique_articles: 1, drops: {} },
      { name: 'indexed', count: 0, unique_articles: 0 },
      { name: 'classified', count: 2, unique_articles: 1 },
      { name: 'routed', count: 0, unique_articles: 0 },
      { name: 'published', count: 1, unique_articles: 1 },
    ],
  })
})

test('today begins at the midnight of the zone', async () => {
  const { body } = await get('/api/v1/funnel?tz=Europe/Amsterdam')
  expect(body).toMatchObject({
    from: '2026-02-09T23:00:00.000Z',
    stages: [{ name: 'crawled', count: 3, unique_articles: 2 }, {}, {}, {}, {}],
  })
})

test('a source and reclassifications can be left out', async () => {
  const one = await get('/api/v1/funnel?period=7d&source=news_site')
  expect(one.body['stages']).toMatchObject([
    { count: 1, unique_articles: 1 },
    {},
    { count: 0 },
    {},
    {},
  ])
  const first = await get('/api/v1/funnel?exclude_reclassifications=true')
  expect(first.body['stages']).toMatchObject([{}, {}, { count: 1, unique_articles: 1 }, {}, {}])
  const nobody = await get('/api/v1/funnel?source=nobody')
  expect(nobody.body['stages']).toMatchObject([{ count: 0 }, {}, {}, {}, {}])
})

test.each([
  ['tz', 'tz=Mars/Olympus'],
  ['period', 'period=1y'],
  ['from', 'from=yesterday'],
  ['to', 'from=2026-02-10T00:00:00Z&to=2026-02-09T00:00:00Z'],
])('a wrong %s is refused by name', async (field, query) => {
  const { status, body } = await get(`/api/v1/funnel?${query}`)
  expect(status).toBe(400)
  expect(body['errors']).toMatchObject([{ field }])
})

test('the series adds up to the funnel', async () => {
  const { body } = await get('/api/v1/funnel/timeseries?period=24h&bucket=hour')
  const buckets = body['buckets'] as { stages: { count: number }[] }[]
  expect(buckets.reduce((sum, bucket) => sum + (bucket.stages[0]?.count ?? 0), 0)).toBe(3)
})

test('statistics tell duplicates, scores, versions, channels and minutes', async () => {
  const { body } = await get('/api/v1/stats')
  expect(body).toMatchObject({
    crawl: { total_crawled: 2, unique_urls: 1, duplicates: 1, by_source: { example_com: 2 } },
    classification: {
      total_classified: 2,
      unique_articles: 1,
      reclassifications: 1,
      avg_quality_score: 71,
      median_quality_score: 71,
      by_model_version: { 'v2.0': 1, 'v2.1': 1 },
      by_topic: { crime: 1, news: 1 },
    },
    publishing: {
      total_routed: 0,
      total_published: 1,
      failed_publishes: 0,
      by_channel: { 'articles:news': 1 },
    },
    throughput: {
      median_crawl_to_classify_mins: 11.2,
      median_classify_to_publish_mins: 0.6,
      avg_end_to_end_mins: 11.8,
    },
  })
})

test('drift compares the newest version with the one before', async () => {
  const { body } = await get('/api/v1/stats/drift')
  expect(body).toMatchObject({
    model_versions: [
      {
        version: 'v2.1',
        articles_classified: 1,
        avg_quality_score: 74,
        topic_distribution: { news: 1 },
        version_age_days: 0,
      },
      {
        version: 'v2.0',
        articles_classified: 1,
        avg_quality_score: 68,
        topic_distribution: { crime: 1 },
      },
    ],
    drift_indicators: { quality_score_delta: 6, topic_distribution_shift: 1 },
  })
})

test('the journey tells every stage with a trace id, and why something is missing', async () => {
  const { body } = await get('/api/v1/journey?q=https://example.com/1%23comments')
  expect(body).toMatchObject({
    found: true,
    url: 'https://example.com/1',
    trace_id: urlHash('https://example.com/1').slice(0, 32),
    verdict: 'It was published.',
  })
  expect((body['steps'] as { stage: string }[]).map((step) => step.stage)).toEqual([
    'crawled',
    'classified',
    'published',
    'crawled',
    'classified',
  ])
  const byTrace = await get(`/api/v1/journey?id=${urlHash('https://example.com/1').slice(0, 32)}`)
  expect(byTrace.body['url']).toBe('https://example.com/1')

  const source = '0198c5b0-0000-7000-8000-000000000001'
  const refused = 'https://example.com/private'
  await database.sql`
    insert into frontier (source_id, url, url_hash, origin, status, reason)
    values (${source}, ${refused}, decode(${urlHash(refused)}, 'hex'), 'link', 'refused', 'robots')`
  const missing = await get(`/api/v1/journey?url=${refused}`)
  expect(missing.body).toMatchObject({
    found: true,
    verdict: 'It was dropped at "fetch" (robots).',
  })
  const unknown = await get('/api/v1/journey?title=never+heard+of')
  expect(unknown.body).toMatchObject({ found: false, steps: [] })
})

test('an event without a page of its own is found by its title: the page it stood on, and its own stages', async () => {
  const { sql } = database
  const source = await addSource(sql, 'Agenda of the Loods')
  const id = await addEvent(sql, source, { title: 'Nachtconcert', url: null })
  const page = 'https://loods.test/agenda'
  await sql`
    with known as (
      insert into frontier (source_id, url, url_hash, origin, status)
      values (${source}, ${page}, decode(${urlHash(page)}, 'hex'), 'start', 'fetched') returning id),
    page as (
      insert into pages (source_id, run_id, frontier_id, url, final_url, status, tier, outcome, fetched_at)
      select ${source}, gen_random_uuid(), id, ${page}, ${page}, 200, 'static', 'fetched', now() from known
      returning id),
    raw as (
      insert into raw_items (source_id, page_id, kind, strategy, item)
      select ${source}, id, 'calendar_event', 'json_ld', ${sql.json({ title: 'NACHTCONCERT', url: null })} from page
      returning id),
    staged as (
      insert into staged_items (raw_item_id, source_id, kind, item_id, outcome, staged_at)
      select id, ${source}, 'calendar_event', ${id}, 'created', now() from raw)
    update calendar_events set raw_item_id = raw.id, search = to_tsvector('simple', 'nachtconcert')
    from raw where calendar_events.id = ${id}`
  const event = (url: string, stage: 'crawled' | 'indexed' | 'classified') => ({
    url,
    stage,
    source: { id: source, name: 'Agenda of the Loods' },
    occurredAt: clock.now(),
    serviceName: 'millrace',
  })
  await transaction(sql, (tx) =>
    recordStage(tx, [
      event(foundItemAddress(page, { title: 'NACHTCONCERT', start: null }), 'crawled'),
      event(itemAddress(page, id), 'indexed'),
      event(itemAddress(page, 'another'), 'indexed'),
      event(itemAddress(page, 'another'), 'classified'),
    ]),
  )
  for (const query of ['title=Nachtconcert', `id=${id}`]) {
    const { body } = await get(`/api/v1/journey?${query}`)
    expect(body).toMatchObject({ found: true, url: page })
    const steps = body['steps'] as { stage: string; service: string | null }[]
    expect(steps.map((step) => step.stage)).toEqual(
      expect.arrayContaining(['fetch', 'extract', 'normalize', 'crawled', 'indexed']),
    )
    expect(steps.filter((step) => step.service === 'millrace')).toHaveLength(2)
  }
})

test('a page that is gone is a drop; a usual place that was never there is a missed guess', async () => {
  const { sql } = database
  const source = await addSource(sql, 'Guessed at')
  for (const [page, origin] of [
    ['https://guessed.test/old', 'link'],
    ['https://guessed.test/feed', 'alternative'],
    ['https://guessed.test/agenda', 'alternative'],
  ] as const)
    await sql`
      with known as (
        insert into frontier (source_id, url, url_hash, origin, status)
        values (${source}, ${page}, decode(${urlHash(page)}, 'hex'), ${origin}, 'gone') returning id)
      insert into pages (source_id, run_id, frontier_id, url, final_url, status, tier, outcome, reason, fetched_at)
      select ${source}, gen_random_uuid(), id, ${page}, ${page}, 404, 'static', 'failed', 'gone', ${clock.now()}
      from known`
  const to = new Date(clock.now().getTime() + 1000).toISOString()
  const { body } = await get(`/api/v1/funnel?from=2026-02-10T00:00:00Z&to=${to}`)
  expect(body).toMatchObject({
    guesses_missed: 2,
    stages: [{ name: 'crawled', drops: { gone: 1 } }, {}, {}, {}, {}],
  })
})

test('the stream sends the funnel at once and after every change', async () => {
  const address = await server.api.listen({ port: 0, host: '127.0.0.1' })
  const leave = new AbortController()
  const response = await fetch(`${address}/api/v1/funnel/stream`, {
    headers: server.as('viewer'),
    signal: leave.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const nextCount = async (): Promise<number> => {
    let text = ''
    for (;;) {
      const data = /^data: (.*)$/m.exec(text)?.[1]
      if (data !== undefined)
        return (JSON.parse(data) as { stages: { count: number }[] }).stages[1]?.count ?? -1
      const chunk = await reader?.read()
      if (chunk === undefined || chunk.done) return -1
      text += chunk.value
    }
  }
  expect(await nextCount()).toBe(0)
  await transaction(database.sql, (tx) => recordStage(tx, [at('indexed', '2026-02-10T13:00:00Z')]))
  let count = await nextCount()
  while (count === 0) count = await nextCount()
  expect(count).toBe(1)
  leave.abort()
})

test('stored events of all processes and connections are counted when somebody asks', async () => {
  const metrics = createMetrics({ process: false })
  registerStageGauges(metrics, database.sql)
  const text = await metrics.metrics()
  const [stored] = await database.sql<{ n: number }[]>`
    select count(*)::int as n from stage_events where stage = 1`
  expect(text).toContain(`pipeline_events_ingested_total{stage="crawled"} ${stored?.n ?? -1}\n`)
  expect(text).toMatch(/pipeline_db_connections\{state="active"\} [1-9]/)
})

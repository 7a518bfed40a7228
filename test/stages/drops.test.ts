import { beforeAll, expect, test } from 'vitest'
import { transaction } from '../../src/db/pool.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { recordStage } from '../../src/stages/record.ts'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'
import { addSource } from '../publish/fixture.ts'

const clock = manualClock('2026-02-10T15:42:03Z')
const database = useDatabase()
const server = useApi(database, { clock })
const at = new Date('2026-02-10T10:00:00Z')
const yesterday = new Date('2026-02-09T10:00:00Z')

interface Answer {
  total: number
  data: { url: string | null; title: string | null; detail: string | null }[]
}
interface Funnel {
  stages: { name: string; drops: Record<string, number> }[]
}

beforeAll(async () => {
  const { sql } = database
  const [paper, courier] = [await addSource(sql, 'Paper'), await addSource(sql, 'Courier')]
  const events = [paper, courier].map((id, n) => ({
    url: `https://example.com/${n}`,
    source: { id, name: n === 0 ? 'Paper' : 'Courier' },
    stage: 'crawled' as const,
    occurredAt: at,
    serviceName: 'test',
    metadata: {},
  }))
  await transaction(sql, (tx) => recordStage(tx, events))
  const page = (source: string, path: string, outcome: string, reason: string | null, when = at) =>
    sql`
      insert into pages (source_id, run_id, frontier_id, url, final_url, status, tier, outcome, reason, fetched_at)
      values (${source}, ${newId()}, 1, ${`https://example.com/${path}`}, '', 404, 'static', ${outcome}, ${reason},
        ${when})`
  await page(paper, 'gone', 'failed', 'gone')
  await page(paper, 'same', 'unchanged', null)
  await page(paper, 'old', 'failed', 'gone', yesterday)
  await page(courier, 'gone-too', 'failed', 'gone')
  await page(courier, 'read', 'fetched', null)
  const raw = await sql<{ id: string }[]>`
    insert into raw_items (source_id, kind, strategy, item)
    values (${paper}, 'article', 'dom', ${sql.json({ title: 'When?', url: 'https://example.com/when' })})
    returning id`
  await sql`
    insert into staged_items (raw_item_id, source_id, kind, outcome, reason, staged_at)
    values (${raw[0]?.id ?? 0}, ${paper}, 'article', 'failed', 'no_date', ${at})`
})

test('each drop of the funnel opens exactly what it counts, at every stage', async () => {
  const funnel = await get<Funnel>('/api/v1/funnel')
  const drops = funnel.stages.flatMap(({ name, drops: reasons }) =>
    Object.entries(reasons).map(([reason, count]) => ({ name, reason, count })),
  )
  expect(drops).toHaveLength(3)
  for (const { name, reason, count } of drops)
    expect((await get<Answer>(`/api/v1/funnel/drops?stage=${name}&reason=${reason}`)).total).toBe(
      count,
    )
  expect(await get('/api/v1/funnel/drops?stage=indexed&reason=no_date')).toMatchObject({
    data: [{ title: 'When?', url: 'https://example.com/when' }],
  })
})

test('the source and the period narrow the list as they narrow the number', async () => {
  const path = '/api/v1/funnel/drops?stage=crawled&reason=gone'
  expect((await get<Answer>(path)).total).toBe(2)
  expect(await get<Answer>(`${path}&source=Paper`)).toMatchObject({
    total: 1,
    data: [{ url: 'https://example.com/gone', detail: 'HTTP 404' }],
  })
  expect((await get<Answer>(`${path}&period=7d&source=Paper`)).total).toBe(2)
  expect((await get<Answer>(`${path}&source=Nobody`)).total).toBe(0)
})

async function get<T>(url: string): Promise<T> {
  const answer = await server.api.inject({ url, headers: server.as('viewer') })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json<T>()
}

import { beforeEach, expect, test } from 'vitest'
import { getDeadLetter, listDeadLetters } from '../../src/deadletters/store.ts'
import { dedupStage } from '../../src/flows/refine/dedup-items.ts'
import { pruneRawItems } from '../../src/flows/refine/prune-raw-items.ts'
import { refineStage } from '../../src/flows/refine/refine-items.ts'
import { retryChosen, retryDue } from '../../src/flows/refine/retry-dead-letters.ts'
import { runStageOnce } from '../../src/flows/refine/stage.ts'
import { useDatabase } from '../harness/database.ts'
import { addRun, addSource, drain, stageDeps } from './harness.ts'
import { addItems, rawArticle, rawEvent } from './raw.ts'

const database = useDatabase()
let n = 0
let source = ''
beforeEach(async () => {
  n++
  source = await addSource(database.sql, { name: `Bron ${n}`, url: `https://bron-${n}.example/` })
})

const soon = (): Date => new Date(Date.now() + 60_000)
const everything = { limit: 100, offset: 0 }

test('an event without a date is a dead letter with what is needed to retry it, not a guess', async () => {
  const { sql } = database
  const deps = stageDeps(sql, soon())
  await addItems(sql, source, [
    rawEvent('Zonder datum', 'binnenkort'),
    rawEvent('Met datum', '2026-12-01T20:00'),
  ])
  await drain(refineStage(), deps)
  const { rows } = await listDeadLetters(sql, { sourceId: source }, everything)
  expect(rows.map((row) => [row.stage, row.errorType, row.status, row.retryCount])).toEqual([
    ['normalize', 'no_date', 'pending', 0],
  ])
  expect(rows[0]?.payload).toMatchObject({ item: { title: 'Zonder datum' } })
  expect(await sql`select title from calendar_events where source_id = ${source}`).toEqual([
    { title: 'Met datum' },
  ])
})

test('dead letters are retried after 1 h × 2^n, three times, and resolve when the item goes through', async () => {
  const { sql } = database
  const deps = stageDeps(sql, soon())
  await addItems(sql, source, [rawEvent('Nog geen datum', 'later')])
  await drain(refineStage(), deps)
  const [letter] = (await listDeadLetters(sql, { sourceId: source }, everything)).rows
  const waits: number[] = []
  for (let again = 0; again < 4; again++) {
    const open = await getDeadLetter(sql, letter?.id ?? '')
    if (open?.nextRetryAt == null) break
    waits.push(Math.round((open.nextRetryAt.getTime() - deps.clock.now().getTime()) / 3_600_000))
    deps.clock.set(open.nextRetryAt)
    expect(await retryDue(deps)).toBeGreaterThanOrEqual(1)
    await drain(refineStage(), deps)
  }
  expect(waits).toEqual([1, 2, 4])
  await sql`update dead_letters set payload = jsonb_set(payload, '{item,calendar,start}', '"2026-12-24T19:00"') where id = ${letter?.id ?? ''}`
  await retryChosen(deps, { ids: [letter?.id ?? ''] })
  await drain(refineStage(), deps)
  expect((await getDeadLetter(sql, letter?.id ?? ''))?.status).toBe('resolved')
  expect(
    await sql`select event_date::text as day from calendar_events where source_id = ${source}`,
  ).toEqual([{ day: '2026-12-24' }])
})

test('one bad item never stops a batch: it is found, tried three times and buried', async () => {
  const { sql } = database
  const deps = stageDeps(sql, soon())
  const bad = rawEvent('Kapot', '2026-12-05T20:00')
  const items = Array.from({ length: 20 }, (_, i) =>
    rawEvent(`Goed ${i}`, `2026-12-05T${10 + (i % 10)}:00`),
  )
  await addItems(sql, source, [...items.slice(0, 7), bad, ...items.slice(7)])
  await sql`create function refuse() returns trigger language plpgsql as $$ begin if new.title = 'Kapot' then raise check_violation; end if; return new; end $$`
  await sql`create trigger refuse before insert on calendar_events for each row execute function refuse()`
  for (let round = 0; round < 4; round++) {
    await drain(refineStage(), deps)
    deps.clock.advance(3_600_000)
  }
  await sql`drop trigger refuse on calendar_events`
  const [kept] = await sql<
    { n: number }[]
  >`select count(*)::int as n from calendar_events where source_id = ${source}`
  expect(kept?.n).toBe(20)
  const { rows } = await listDeadLetters(sql, { sourceId: source }, everything)
  expect(
    rows.map((row) => [row.errorType, (row.payload['item'] as { title: string }).title]),
  ).toEqual([['constraint', 'Kapot']])
})

test('a source with many items does not starve one with few', async () => {
  const { sql } = database
  const deps = stageDeps(sql, soon())
  const other = await addSource(sql, { name: 'Klein', url: `https://klein-${n}.example/` })
  await addItems(
    sql,
    source,
    Array.from({ length: 200 }, (_, i) => rawEvent(`Veel ${i}`, '2026-12-06T20:00')),
  )
  await addItems(sql, other, [rawEvent('Weinig', '2026-12-06T20:00')])
  await runStageOnce(refineStage({ batchSize: 20 }), deps)
  expect(await sql`select title from calendar_events where source_id = ${other}`).toEqual([
    { title: 'Weinig' },
  ])
  await drain(refineStage(), deps)
})

test('workers side by side keep every item once', async () => {
  const { sql } = database
  const deps = stageDeps(sql, soon())
  const items = Array.from({ length: 120 }, (_, i) =>
    rawEvent(`Samen ${i % 60}`, '2026-12-07T20:00'),
  )
  await addItems(sql, source, items)
  const workers = Array.from({ length: 4 }, () => refineStage({ batchSize: 15 }))
  for (let left = 1; left > 0;) {
    await Promise.all(workers.map((worker) => runStageOnce(worker, deps)))
    const [row] = await sql<
      { n: number }[]
    >`select count(*)::int as n from raw_items where status = 'pending' and source_id = ${source}`
    left = row?.n ?? 0
  }
  const [kept] = await sql<{ n: number; titles: number }[]>`
    select count(*)::int as n, count(distinct title)::int as titles from calendar_events where source_id = ${source}`
  expect(kept).toEqual({ n: 60, titles: 60 })
})

test('a stage whose circuit is open rests', async () => {
  const deps = { ...stageDeps(database.sql, soon()), paused: () => Promise.resolve(true) }
  await addItems(database.sql, source, [rawEvent('Wacht', '2026-12-08T20:00')])
  expect(await runStageOnce(refineStage(), deps)).toBe(0)
  await drain(refineStage(), { ...deps, paused: () => Promise.resolve(false) })
})

test('a person who takes two items apart is not overruled later', async () => {
  const { sql } = database
  const deps = stageDeps(sql, soon())
  const other = await addSource(sql, { name: 'Gids', url: `https://gids-${n}.example/` })
  const item = rawEvent('Strijkkwartet Amber', '2026-12-09T20:15')
  await addItems(sql, source, [item])
  await addItems(sql, other, [{ ...item, title: 'Concert: Strijkkwartet Amber' }])
  await drain(refineStage(), deps)
  await drain(dedupStage(), deps)
  const members = await sql<
    { cluster_id: string; item_id: string }[]
  >`select cluster_id, item_id from cluster_members m
    join calendar_events e on e.id = m.item_id where e.source_id in (${source}, ${other})`
  expect(members).toHaveLength(2)
  const { separate } = await import('../../src/items/dedup/clusters.ts')
  await sql.begin((tx) =>
    separate(
      tx as never,
      members[0]?.cluster_id ?? '',
      members[0]?.item_id ?? '',
      'test',
      new Date(),
    ),
  )
  await sql`insert into dedup_queue (item_id, kind, source_id) select id, 'calendar_event', source_id from calendar_events where source_id in (${source}, ${other})`
  await drain(dedupStage(), deps)
  const [left] = await sql<
    { n: number }[]
  >`select count(*)::int as n from cluster_members m join calendar_events e on e.id = m.item_id where e.source_id in (${source}, ${other})`
  expect(left?.n).toBe(0)
})

test('a page that a list told as an article and that is an event leaves no article behind', async () => {
  const { sql } = database
  const deps = stageDeps(sql, soon())
  const event = rawEvent('Pubquiz van de buurt', '2026-12-10T20:00')
  const teaser = rawArticle(event.title, '', event.url ?? '')
  if (teaser.article !== null) teaser.article.publishedAt = null
  await addItems(sql, source, [teaser])
  await drain(refineStage(), deps)
  await addItems(sql, source, [event])
  await drain(refineStage(), deps)
  expect(await sql`select title from articles where source_id = ${source}`).toEqual([])
  expect(await sql`select title from calendar_events where source_id = ${source}`).toHaveLength(1)
  expect(
    await sql`select kind, change from item_changes where source_id = ${source} order by id`,
  ).toEqual([
    { kind: 'article', change: 'created' },
    { kind: 'calendar_event', change: 'created' },
    { kind: 'article', change: 'vanished' },
  ])
})

test('what a page adds to the event of a list stands in the history and is found by its words', async () => {
  const { sql } = database
  const deps = stageDeps(sql, soon())
  const event = rawEvent('Klankbad bij de vijver', '2026-12-10T20:00', { description: null })
  await addItems(sql, source, [event])
  await drain(refineStage(), deps)
  const page = rawArticle(event.title, '', event.url ?? '')
  if (page.article !== null) page.article.publishedAt = null
  const told = { ...page, description: 'Neem een kussen mee.', imageUrl: 'https://a.example/b.jpg' }
  await addItems(sql, source, [told])
  await drain(refineStage(), deps)
  await addItems(sql, source, [told])
  await drain(refineStage(), deps)
  expect(
    await sql`select change, fields from item_changes where source_id = ${source} order by id`,
  ).toEqual([
    { change: 'created', fields: {} },
    {
      change: 'updated',
      fields: {
        description: ['', 'Neem een kussen mee.'],
        image_url: [null, 'https://a.example/b.jpg'],
      },
    },
  ])
  expect(
    await sql`select title from calendar_events where source_id = ${source} and search @@ search_query('kussen')`,
  ).toEqual([{ title: event.title }])
})

test('a series that moves by a day is rescheduled day by day; one more day is one more event', async () => {
  const { sql } = database
  const tell = async (days: readonly string[]) => {
    const items = days.map((day) => {
      const event = rawEvent('Repetitie fanfare', `${day}T19:30`, { url: null })
      if (event.calendar !== null) event.calendar.uid = `fanfare@${n}#${day}T19:30:00`
      return event
    })
    const run = await addRun(sql, source, new Date())
    await addItems(sql, source, items, run)
    await drain(refineStage(), stageDeps(sql, new Date('2026-11-20T12:00:00Z')))
    return sql<{ change: string; times: number }[]>`
      select change, count(*)::int as times from item_changes where run_id = ${run} group by 1 order by 1`
  }
  expect(await tell(['2026-12-01', '2026-12-08', '2026-12-15'])).toEqual([
    { change: 'created', times: 3 },
  ])
  expect(await tell(['2026-12-02', '2026-12-09', '2026-12-16'])).toEqual([
    { change: 'rescheduled', times: 3 },
  ])
  expect(await tell(['2026-12-02', '2026-12-09', '2026-12-16', '2026-12-23'])).toEqual([
    { change: 'created', times: 1 },
  ])
  expect(await tell(['2026-12-02', '2026-12-10', '2026-12-16', '2026-12-23'])).toEqual([
    { change: 'rescheduled', times: 1 },
  ])
  const kept = await sql`
    select event_date::text as day, sequence from calendar_events where source_id = ${source} order by 1`
  expect(kept).toEqual([
    { day: '2026-12-02', sequence: 1 },
    { day: '2026-12-10', sequence: 2 },
    { day: '2026-12-16', sequence: 1 },
    { day: '2026-12-23', sequence: 0 },
  ])
})

test('letters of a stage nobody can put back stay pending when all are retried', async () => {
  const { sql } = database
  const deps = stageDeps(sql, soon())
  await sql`
    insert into dead_letters (id, source_id, stage, subject, error_type, payload, created_at, updated_at)
    values (gen_random_uuid(), ${source}, 'elsewhere', 'x', 'timeout', '{}', now(), now())`
  expect(await retryChosen(deps, { filter: { sourceId: source } })).toEqual([])
  expect(
    await sql`select status, retry_count from dead_letters where source_id = ${source}`,
  ).toEqual([{ status: 'pending', retry_count: 0 }])
})

test('old raw items go, except those that wait or may be put back', async () => {
  const { sql } = database
  const deps = { ...stageDeps(sql, soon()), retentionDays: 30 }
  await addItems(sql, source, [
    rawEvent('Lang geleden', '2026-12-11T20:00'),
    rawEvent('Zonder dag', 'ooit'),
  ])
  await drain(refineStage(), deps)
  await addItems(sql, source, [rawEvent('Wacht nog', '2026-12-12T20:00')])
  await sql`update raw_items set created_at = now() - interval '40 days' where source_id = ${source}`
  await pruneRawItems(deps)
  const left = await sql<{ title: string }[]>`
    select item->>'title' as title from raw_items where source_id = ${source} order by id`
  expect(left.map((row) => row.title)).toEqual(['Zonder dag', 'Wacht nog'])
  expect(await sql`select 1 from staged_items where source_id = ${source}`).toEqual([])
  expect(await sql`select title from calendar_events where source_id = ${source}`).toHaveLength(1)
  await drain(refineStage(), deps)
})

import { beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../harness/database.ts'
import {
  addArticles,
  addEvent,
  addRoute,
  addSource,
  changeTitle,
  deleteArticle,
  publisher,
  setArticleStatus,
  setEventStatus,
} from './fixture.ts'

const database = useDatabase()
let sourceId: string
let publish: () => Promise<void>

beforeAll(async () => {
  sourceId = await addSource(database.sql, 'City News')
  publish = publisher(database.sql)
})

async function told(routeId: string): Promise<{ item: string; change: string; version: number }[]> {
  return database.sql`
    select item_id as item, change, item_version as version from deliveries where route_id = ${routeId} order by id`
}

test('an item that changes, changes again and goes is created, updated and deleted for its routes', async () => {
  const { sql } = database
  const route = await addRoute(sql, { languages: ['nl'], kinds: ['article'] })
  const [id = ''] = await addArticles(sql, sourceId, [{ title: 'First' }])
  await publish()
  await changeTitle(sql, id, 'Second')
  await publish()
  await changeTitle(sql, id, 'Second')
  await publish()
  await deleteArticle(sql, id)
  await publish()
  expect(await told(route)).toEqual([
    { item: id, change: 'created', version: 1 },
    { item: id, change: 'updated', version: 2 },
    { item: id, change: 'deleted', version: 3 },
  ])
  const events = await sql`
    select stage, metadata from stage_events e join stage_articles a on a.id = e.article_id
    where a.url = ${`https://news.test/${id}`} order by e.id`
  expect(events.map((row) => row['stage'])).toEqual([3, 4, 5, 3, 4, 5])
  expect(Object.keys(events[0]?.['metadata'] as object).sort()).toEqual([
    'confidence',
    'content_hash',
    'content_type',
    'is_reclassification',
    'model_version',
    'processing_time_ms',
    'quality_score',
    'topics',
  ])
})

test('an item that vanished from its source leaves its routes and comes back when it does', async () => {
  const { sql } = database
  const route = await addRoute(sql, { categories: ['music'] })
  const id = await addEvent(sql, sourceId)
  await publish()
  await setEventStatus(sql, id, 'cancelled')
  await publish()
  await setEventStatus(sql, id, 'vanished')
  await publish()
  await setEventStatus(sql, id, 'active')
  await publish()
  expect((await told(route)).map((row) => row.change)).toEqual([
    'created',
    'updated',
    'deleted',
    'created',
  ])
})

test('news whose page is gone leaves its routes and comes back when it does', async () => {
  const { sql } = database
  const route = await addRoute(sql, { sources: [sourceId], text: 'takedown' })
  const [id = ''] = await addArticles(sql, sourceId, [{ title: 'Takedown' }])
  await publish()
  await setArticleStatus(sql, id, 'vanished')
  await publish()
  await setArticleStatus(sql, id, 'active')
  await publish()
  expect(await told(route)).toEqual([
    { item: id, change: 'created', version: 1 },
    { item: id, change: 'deleted', version: 2 },
    { item: id, change: 'created', version: 3 },
  ])
})

test('an empty route matches nothing', async () => {
  const { sql } = database
  const empty = await addRoute(sql, {})
  const emptyLists = await addRoute(sql, { topics_any: [], text: '' })
  await addArticles(sql, sourceId, [{}])
  await publish()
  expect(await told(empty)).toEqual([])
  expect(await told(emptyLists)).toEqual([])
})

test('an item that is changed while it is being published is published again', async () => {
  const { sql } = database
  const route = await addRoute(sql, { sources: [sourceId], text: 'racing' })
  const [id = ''] = await addArticles(sql, sourceId, [{ title: 'Racing one' }])
  await Promise.all([publish(), changeTitle(sql, id, 'Racing two')])
  await publish()
  const rows = await told(route)
  expect(rows.at(0)?.change).toBe('created')
  const [last] = await sql`
    select v.payload ->> 'title' as title from item_versions v where item_id = ${id} order by version desc limit 1`
  expect(last?.['title']).toBe('Racing two')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'
import { waitFor } from '../harness/wait.ts'
import {
  addArticles,
  addRoute,
  addSource,
  changeTitle,
  deleteArticle,
  publisher,
} from './fixture.ts'

const database = useDatabase({ max: 16 })
const server = useApi(database)
let base = ''

interface Change {
  cursor: string
  id: string
  change: string
  item_id: string
  item_version: number
  item: { title: string } | null
}
interface Page {
  data: Change[]
  cursor: string
  has_more: boolean
}

beforeAll(async () => {
  base = await server.api.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.api.server.closeAllConnections())

async function page(route: string, cursor: string, extra = ''): Promise<Page> {
  const url = `${base}/api/v1/changes?route=${route}&cursor=${cursor}${extra}`
  const answer = await fetch(url, { headers: server.as('viewer') })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Page
}

async function published(route: string): Promise<Record<string, string>> {
  const rows = await database.sql<{ id: string; title: string }[]>`
    select i.item_id as id, v.payload ->> 'title' as title from route_items i
    join item_versions v on v.item_id = i.item_id and v.version = i.item_version where i.route_id = ${route}`
  return Object.fromEntries(rows.map((row) => [row.id, row.title]))
}

function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Applies changes the way a consumer does: by version, so that a repeat changes nothing. */
function apply(store: Map<string, string>, change: Change): void {
  if (change.change === 'deleted') store.delete(change.item_id)
  else store.set(change.item_id, change.item?.title ?? '')
}

test('a consumer that stores its cursor and crashes at random rebuilds exactly what is published', async () => {
  const { sql } = database
  const sourceId = await addSource(sql, 'Catch up')
  const route = await addRoute(sql, { sources: [sourceId] })
  const random = dice(11)
  const ids: string[] = []
  const state = { writing: true }

  // Several publishers at once, each with its own transactions, commit in whatever order they like.
  const publishers = Array.from({ length: 4 }, async () => {
    const publish = publisher(sql)
    while (state.writing) {
      await publish()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await publish()
  })
  const writer = (async () => {
    for (let round = 0; round < 15; round++) {
      ids.push(
        ...(await addArticles(
          sql,
          sourceId,
          Array.from({ length: 6 }, () => ({})),
        )),
      )
      for (let n = 0; n < 6; n++) {
        const id = ids[Math.floor(random() * ids.length)] ?? ''
        if (random() < 0.25) await deleteArticle(sql, id)
        else await changeTitle(sql, id, `Title ${round} ${n}`)
      }
    }
    state.writing = false
  })()

  const consumer = dice(5)
  const disk = { cursor: '0', store: new Map<string, string>() }
  const consume = async (): Promise<boolean> => {
    // Everything in memory is lost in a crash; what was on disk is the state of the last commit.
    const store = new Map(disk.store)
    let cursor = disk.cursor
    for (;;) {
      const answer = await page(route, cursor, `&limit=${1 + Math.floor(consumer() * 20)}`)
      for (const change of answer.data) {
        expect(Number(change.cursor)).toBeGreaterThan(Number(cursor))
        cursor = change.cursor
        apply(store, change)
        if (consumer() < 0.05) return false
        if (consumer() < 0.3) {
          disk.cursor = cursor
          disk.store = new Map(store)
        }
      }
      if (answer.data.length === 0) {
        disk.cursor = cursor
        disk.store = store
        return true
      }
    }
  }
  const consuming = (async () => {
    while (state.writing) await consume()
  })()
  await Promise.all([writer, ...publishers, consuming])
  while (!(await consume()));
  expect(Object.fromEntries(disk.store)).toEqual(await published(route))
  expect(disk.store.size).toBeGreaterThan(50)
})

test('a reader that waits is answered when something happens', async () => {
  const { sql } = database
  const sourceId = await addSource(sql, 'Long poll')
  const route = await addRoute(sql, { sources: [sourceId] })
  const started = Date.now()
  const waiting = page(route, '0', '&wait=20')
  const [id] = await addArticles(sql, sourceId, [{}])
  await publisher(sql)()
  const answer = await waiting
  expect(answer.data.map((one) => one.item_id)).toEqual([id])
  expect(Date.now() - started).toBeLessThan(10_000)
  expect((await page(route, answer.cursor)).data).toEqual([])
})

test('the stream of changes goes on after the last event it sent, without gap or repeat', async () => {
  const { sql } = database
  const sourceId = await addSource(sql, 'Stream')
  const route = await addRoute(sql, { sources: [sourceId] })
  const publish = publisher(sql)
  const first = await addArticles(
    sql,
    sourceId,
    Array.from({ length: 5 }, () => ({})),
  )
  await publish()
  const one = await openStream(route, null)
  await waitFor('the first five', () => one.changes.length === 5)
  const second = await addArticles(
    sql,
    sourceId,
    Array.from({ length: 3 }, () => ({})),
  )
  await publish()
  await waitFor('three more, live', () => one.changes.length === 8)
  one.close()
  const third = await addArticles(sql, sourceId, [{}])
  await publish()
  const two = await openStream(route, one.changes.at(-1)?.cursor ?? null)
  await waitFor('the one that was missed', () => two.changes.length === 1)
  two.close()
  const seen = [...one.changes, ...two.changes].map((change) => change.item_id)
  expect(seen.toSorted()).toEqual([...first, ...second, ...third].toSorted())
})

async function openStream(
  route: string,
  lastId: string | null,
): Promise<{ changes: Change[]; close(): void }> {
  const stop = new AbortController()
  const answer = await fetch(`${base}/api/v1/changes/stream?route=${route}`, {
    headers: { ...server.as('viewer'), ...(lastId !== null && { 'last-event-id': lastId }) },
    signal: stop.signal,
  })
  const changes: Change[] = []
  const read = async (): Promise<void> => {
    let text = ''
    const decoder = new TextDecoder()
    if (answer.body === null) return
    const reader = answer.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        const data = /^data: (.*)$/m.exec(message)?.[1]
        if (data !== undefined) changes.push(JSON.parse(data) as Change)
      }
    }
  }
  read().catch(() => undefined)
  return { changes, close: () => stop.abort() }
}

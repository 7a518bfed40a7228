import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listDeadLetters } from '../../src/deadletters/store.ts'
import { mirrorOnce } from '../../src/flows/mirror-items.ts'
import { publishStage } from '../../src/flows/publish/publish-items.ts'
import { refineStage } from '../../src/flows/refine/refine-items.ts'
import { retryChosen } from '../../src/flows/refine/retry-dead-letters.ts'
import { connectElastic } from '../../src/mirror/elastic.ts'
import { queueEverything, startMirror } from '../../src/mirror/store.ts'
import { useDatabase } from '../harness/database.ts'
import { addSource, drain, stageDeps } from './harness.ts'
import { addItems, rawArticle, rawEvent } from './raw.ts'

const database = useDatabase()
const known = new Set<string>()

/** A small server that speaks the bulk API: indices have to exist, and it can be told to misbehave. */
const indices = new Map<string, Map<string, Record<string, unknown>>>()
const mood = { busy: false, refuse: '', stumble: '' }
let server: Server
let url = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    const answer = (status: number, body: unknown, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    }
    const read = (): void => {
      if (mood.busy) return answer(429, { error: 'es_rejected_execution' }, { 'retry-after': '7' })
      if (request.method === 'PUT') {
        const name = String(request.url).slice(1)
        if (indices.has(name))
          return answer(400, { error: { type: 'resource_already_exists_exception' } })
        indices.set(name, new Map())
        return answer(200, { acknowledged: true })
      }
      const items = bulk(Buffer.concat(chunks).toString())
      answer(200, { errors: false, items })
    }
    request.on('end', read)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

function bulk(body: string): unknown[] {
  const lines = body.trimEnd().split('\n')
  const items: unknown[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = JSON.parse(lines[at] ?? '') as Record<string, Record<string, string>>
    const [name = '', where] = Object.entries(line)[0] ?? []
    const index = indices.get(where?.['_index'] ?? '')
    const id = where?.['_id'] ?? ''
    if (name === 'delete') {
      items.push({ delete: { status: index?.delete(id) === true ? 200 : 404 } })
      continue
    }
    const document = JSON.parse(lines[++at] ?? '') as Record<string, unknown>
    const status =
      index === undefined
        ? 404
        : document['title'] === mood.refuse
          ? 400
          : document['title'] === mood.stumble
            ? 429
            : 201
    if (status === 201) index?.set(id, document)
    items.push({ index: { status, ...(status >= 400 && { error: { type: 'nope' } }) } })
  }
  return items
}

const titles = (index: string): string[] =>
  [...(indices.get(index)?.values() ?? [])].map((document) => String(document['title'])).sort()

test('the mirror follows what is kept, through a busy server and refused documents, and can be rebuilt', async () => {
  const { sql } = database
  const deps = { ...stageDeps(sql, new Date(Date.now() + 60_000)), elastic: connectElastic(url) }
  const source = await addSource(sql, { name: 'Café De Zaal', url: 'https://zaal.example/' })
  await addItems(sql, source, [rawEvent('Voor de spiegel', '2026-12-01T20:00')])
  await drain(refineStage(), deps)
  expect(await sql`select 1 from mirror_queue`).toEqual([])
  expect(await startMirror(sql, new Date())).toBe(true)
  expect(await queueEverything(sql)).toBe(1)
  await addItems(sql, source, [
    rawEvent('Na de spiegel', '2026-12-02T20:00'),
    rawEvent('Struikelt', '2026-12-03T20:00'),
    rawEvent('Geweigerd', '2026-12-04T20:00'),
    rawArticle('Nieuws', 'Een tekst.', 'https://zaal.example/nieuws'),
  ])
  await drain(refineStage(), deps)

  // Busy as a whole: everything waits as long as it asks for, and no attempt is counted.
  mood.busy = true
  expect(await mirrorOnce(deps, known)).toBe(0)
  expect(await sql`select sum(attempts)::int as n from mirror_queue`).toEqual([{ n: 0 }])
  mood.busy = false
  deps.clock.advance(60_000)

  mood.stumble = 'Struikelt'
  mood.refuse = 'Geweigerd'
  expect(await mirrorOnce(deps, known)).toBe(3)
  const index = 'cafe_de_zaal_raw_content'
  expect(titles(index)).toEqual(['Na de spiegel', 'Nieuws', 'Voor de spiegel'])
  mood.stumble = ''
  for (let round = 0; round < 5; round++) {
    deps.clock.advance(3_600_000)
    await mirrorOnce(deps, known)
  }
  expect(titles(index)).toEqual(['Na de spiegel', 'Nieuws', 'Struikelt', 'Voor de spiegel'])
  const everything = { limit: 10, offset: 0 }
  const { rows } = await listDeadLetters(sql, { stage: 'mirror' }, everything)
  expect(rows.map((row) => [row.errorType, row.status])).toEqual([['refused', 'pending']])
  mood.refuse = ''
  await retryChosen(deps, { ids: rows.map((row) => row.id) })
  expect(await mirrorOnce(deps, known)).toBe(1)
  expect((await listDeadLetters(sql, { stage: 'mirror' }, everything)).rows[0]?.status).toBe(
    'resolved',
  )

  // Classified, they lie in the second index too, with what they were classified as.
  const classified = 'cafe_de_zaal_classified_content'
  expect(titles(classified)).toEqual([])
  await drain(publishStage(), deps)
  expect(await mirrorOnce(deps, known)).toBe(5)
  expect(titles(classified)).toEqual(titles(index))
  expect([...(indices.get(classified)?.values() ?? [])]).toEqual(
    Array.from({ length: 5 }, () =>
      expect.objectContaining({
        content_type: expect.any(String),
        topics: expect.any(Array),
        quality_score: expect.any(Number),
      }),
    ),
  )

  // Gone here is gone there; a source that got another name moves.
  await sql`delete from articles where source_id = ${source}`
  await sql`update sources set name = 'De Nieuwe Zaal' where id = ${source}`
  await queueEverything(sql)
  deps.clock.advance(3_600_000)
  expect(await mirrorOnce(deps, known)).toBe(5)
  expect([...titles(index), ...titles(classified)]).toEqual([])
  expect(titles('de_nieuwe_zaal_raw_content')).toHaveLength(4)
  expect(titles('de_nieuwe_zaal_classified_content')).toHaveLength(4)

  // Lost over there: a rebuild brings all of it back.
  indices.clear()
  known.clear()
  expect(await queueEverything(sql)).toBe(4)
  deps.clock.advance(3_600_000)
  expect(await mirrorOnce(deps, known)).toBe(4)
  expect(titles('de_nieuwe_zaal_raw_content')).toHaveLength(4)
  expect(await sql`select 1 from mirror_queue`).toEqual([])
})

test('a server that is away is left alone by its breaker, and the queue waits', async () => {
  const { sql } = database
  const deps = {
    ...stageDeps(sql, new Date(Date.now() + 86_400_000)),
    elastic: connectElastic('http://127.0.0.1:1'),
  }
  await queueEverything(sql)
  for (let round = 0; round < 6; round++) {
    expect(await mirrorOnce(deps, known)).toBe(0)
    deps.clock.advance(15_000)
  }
  expect(await sql`select state from breakers where key = 'elasticsearch'`).toEqual([
    { state: 'open' },
  ])
  expect(
    await sql`select count(*)::int as n, max(attempts)::int as most from mirror_queue`,
  ).toEqual([{ n: 4, most: 0 }])
  deps.clock.advance(3_600_000)
  expect(await mirrorOnce({ ...deps, elastic: connectElastic(url) }, known)).toBe(4)
})

import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WARCParser } from 'warcio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileArchive } from '../../src/archive/files.ts'
import type { Archive } from '../../src/archive/store.ts'
import { findBody } from '../../src/archive/packs/index-of-bodies.ts'
import { packPath } from '../../src/archive/packs/place.ts'
import { headBytes } from '../../src/archive/packs/record.ts'
import { checkArchive } from '../../src/flows/archive-check.ts'
import { rebuildArchive } from '../../src/flows/archive-rebuild.ts'
import { retainOnce } from '../../src/flows/archive-retention.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { enqueueRuns } from '../../src/runs/enqueue.ts'
import { useApi } from '../harness/api.ts'
import { useDatabase } from '../harness/database.ts'

const database = useDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'millrace-pages-'))
const http = useApi(database, { env: { MILLRACE_DATA_DIR: dataDir } })
const sourceId = randomUUID()
let archive: Archive
let runId = ''

beforeAll(async () => {
  archive = fileArchive(join(dataDir, 'archive'), database.sql)
  const [run = ''] = await enqueueRuns(database.sql, [
    { trigger: 'one_off', hostKey: 'a.test', payload: { url: 'http://a.test/' } },
  ])
  runId = run
  await addPage('http://a.test/old', 'An old page', '2026-01-01T00:00:00Z')
  await addPage('http://a.test/new', 'A new page', '2026-03-01T00:00:00Z')
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

async function addPage(url: string, text: string, at: string): Promise<string> {
  const hash = createHash('sha256').update(text).digest('hex')
  await archive.put(hash, Buffer.from(text))
  await database.sql`
    with known as (
      insert into frontier (source_id, url, url_hash, origin, content_hash, next_fetch_at)
      values (${sourceId}, ${url}, sha256(${url}::bytea), 'link', decode(${hash}, 'hex'), now()) returning id)
    insert into pages (source_id, run_id, frontier_id, url, final_url, status, tier, outcome, content_type, content_hash, archived, redirects, fetched_at)
    select ${sourceId}, ${runId}, id, ${url}, ${url}, 200, 'static', 'fetched', 'text/html', decode(${hash}, 'hex'), true,
      ${database.sql.json([{ from: `${url}?from`, to: url, status: 301 }])}, ${at} from known`
  return hash
}

test('pages of a run are listed, and their bodies can be had without running here', async () => {
  const headers = http.as('viewer')
  const list = await http.api.inject({ url: `/api/v1/pages?run_id=${runId}`, headers })
  const { data, total } = list.json<{ data: { id: string; url: string }[]; total: number }>()
  expect(total).toBe(2)
  const body = await http.api.inject({ url: `/api/v1/pages/${data[0]?.id}/body`, headers })
  expect(body.body).toBe('A new page')
  expect(body.headers['content-security-policy']).toContain('sandbox')
  expect((await http.api.inject({ url: '/api/v1/pages/999/body', headers })).statusCode).toBe(404)
})

test('a run is exported as WARC with its redirects and bodies', async () => {
  const answer = await http.api.inject({
    url: `/api/v1/runs/${runId}/warc`,
    headers: http.as('viewer'),
  })
  expect(answer.statusCode).toBe(200)
  const found: [string | null, string | null | undefined, number | undefined][] = []
  const bodies: string[] = []
  for await (const record of new WARCParser([answer.rawPayload])) {
    const text = await record.contentText()
    found.push([record.warcType, record.warcTargetURI, record.httpHeaders?.statusCode as number])
    if (record.warcType === 'response' && text !== '') bodies.push(text)
  }
  expect(found.map(([type]) => type)).toEqual([
    'warcinfo',
    'response',
    'response',
    'metadata',
    'response',
    'response',
    'metadata',
  ])
  expect(bodies).toEqual(['An old page', 'A new page'])
})

test('damaged and missing bodies are found, and their pages read again', async () => {
  const hash = await addPage('http://a.test/damaged', 'A damaged page', '2026-03-01T00:00:00Z')
  const missing = await addPage('http://a.test/missing', 'A lost page', '2026-03-01T00:00:00Z')
  await archive.remove([missing])
  const place = await findBody(database.sql, hash)
  const path = packPath((await archive.packFolder?.()) ?? '', place?.pack ?? '')
  const file = openSync(path, 'r+')
  writeSync(file, 'nonsense', (place?.at ?? 0) + headBytes)
  closeSync(file)
  const report = await checkArchive({ sql: database.sql, archive })
  expect(report.checked).toBe(4)
  expect(report.missing).toEqual([missing])
  expect(report.damaged.map((entry) => entry.hash)).toEqual([hash])
  const rows = await database.sql<{ content_hash: Buffer | null }[]>`
    select content_hash from frontier where url in ('http://a.test/damaged', 'http://a.test/missing')`
  expect(rows.map((row) => row.content_hash)).toEqual([null, null])
  expect(await findBody(database.sql, hash)).toBeNull()
})

test('places that the database lost are found again in the packs, past what is torn', async () => {
  const text = 'A page whose place is lost'
  const hash = await addPage('http://a.test/lost', text, '2026-03-01T00:00:00Z')
  const place = await findBody(database.sql, hash)
  const pack = packPath((await archive.packFolder?.()) ?? '', place?.pack ?? '')
  // Half a record, as a full disk leaves it, and a body behind it that no page was committed for.
  writeFileSync(pack, readFileSync(pack).subarray(0, headBytes + 3), { flag: 'a' })
  await archive.put(createHash('sha256').update('nobody').digest('hex'), Buffer.from('nobody'))
  const lastHash = await addPage('http://a.test/last', 'The last page', '2026-03-01T00:00:00Z')
  await database.sql`truncate archive_bodies`
  await database.sql`update pages set archived = false`
  const report = await rebuildArchive({ sql: database.sql, archive })
  expect(report).toMatchObject({ packs: 1, restored: 5 })
  for (const [known, body] of [
    [hash, text],
    [lastHash, 'The last page'],
  ] as const)
    expect(Buffer.from((await archive.get(known)) ?? []).toString()).toBe(body)
  const pages = await database.sql<{ url: string }[]>`
    select url from pages where not archived order by url`
  expect(pages.map((page) => page.url)).toEqual(['http://a.test/damaged'])
  expect(await rebuildArchive({ sql: database.sql, archive })).toMatchObject({ restored: 0 })
})

test('bodies nobody saw for a while are let go', async () => {
  const clock = manualClock('2026-03-02T00:00:00Z')
  const report = await retainOnce({
    sql: database.sql,
    clock,
    archive,
    bodyDays: 30,
    pageDays: 3650,
  })
  expect(report.bodies).toBe(1)
  const old = createHash('sha256').update('An old page').digest('hex')
  expect(await archive.get(old)).toBeNull()
  const kept = createHash('sha256').update('A new page').digest('hex')
  expect(await archive.get(kept)).not.toBeNull()
})

import { strToU8, zipSync } from 'fflate'
import { beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../../../test/harness/api.ts'
import { useDatabase } from '../../../test/harness/database.ts'

const database = useDatabase()
const server = useApi(database)

beforeEach(async () => {
  await database.sql`truncate sources, source_groups, source_events, source_event_progress, jobs cascade`
})

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: Record<string, unknown> & {
    data?: Record<string, unknown>[]
    errors?: { line?: number; field: string; message: string }[]
  }
}

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object | string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await server.api.inject({
    method,
    url,
    headers: { ...server.as('operator'), ...headers },
    ...(payload !== undefined && { payload }),
  })
  const type = String(response.headers['content-type'] ?? '')
  return {
    status: response.statusCode,
    headers: response.headers,
    body: type.includes('json') ? response.json() : { text: response.body },
  }
}

const add = (over: object = {}) =>
  call('POST', '/api/v1/sources', { name: 'Example', url: 'https://example.com/agenda', ...over })

async function counts(): Promise<{ sources: number; events: number }> {
  const [row] = await database.sql<{ sources: number; events: number }[]>`
    select (select count(*)::int from sources) as sources, (select count(*)::int from source_events) as events`
  return row ?? { sources: -1, events: -1 }
}

describe('bad input gets a clear error and changes nothing', () => {
  test.each<[string, object, string]>([
    ['a bad URL', { url: 'not a url' }, 'url'],
    ['a private address', { url: 'http://192.168.1.10/' }, 'url'],
    ['a decimal loopback address', { url: 'http://2130706433/' }, 'url'],
    ['an unknown priority', { priority: 'urgent' }, 'priority'],
    ['hour 25', { crawl_window_start: 25, crawl_window_end: 3 }, 'crawl_window_start'],
    ['half a window', { crawl_window_start: 5 }, 'crawl_window_end'],
    ['half a coordinate', { default_lat: 52 }, 'default_lng'],
    ['a time zone that is none', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['a negative rate', { rate_limit: -1 }, 'rate_limit'],
    ['huge selectors', { selectors: { title: 'x'.repeat(30_000) } }, 'selectors'],
    ['a broken pattern', { include_patterns: ['/(/'] }, 'include_patterns.0'],
    ['a field that does not exist', { nmae: 'x' }, 'body'],
    [
      'a group that does not exist',
      { group_id: '00000000-0000-4000-8000-000000000000' },
      'group_id',
    ],
  ])('%s', async (_name, over, field) => {
    const { status, body } = await add(over)
    expect(status).toBe(400)
    expect(body.errors?.map((error) => error.field)).toContain(field)
    expect(await counts()).toEqual({ sources: 0, events: 0 })
  })

  test('10 MB of selectors are refused by size', async () => {
    const { status } = await add({ selectors: { title: 'x'.repeat(11_000_000) } })
    expect(status).toBe(413)
  })
})

describe('one source', () => {
  test('the same address in another spelling is a conflict that names the existing one', async () => {
    const first = await add()
    const second = await add({
      name: 'Other',
      url: 'HTTPS://Example.com:443/agenda?utm_source=x#top',
    })
    expect(second).toMatchObject({ status: 409, body: { existing_id: first.body['id'] } })
  })

  test('patch changes what it names, put resets what it leaves out', async () => {
    const { body } = await add({ priority: 'high', tags: ['news'] })
    const patched = await call('PATCH', `/api/v1/sources/${String(body['id'])}`, {
      name: 'Renamed',
    })
    expect(patched.body).toMatchObject({
      name: 'Renamed',
      priority: 'high',
      tags: ['news'],
      version: 2,
    })
    const replaced = await call('PUT', `/api/v1/sources/${String(body['id'])}`, {
      name: 'Whole',
      url: 'https://example.com/agenda',
    })
    expect(replaced.body).toMatchObject({ name: 'Whole', priority: null, tags: [] })
  })

  test('a change with an outdated ETag is refused with the current version', async () => {
    const { body, headers } = await add()
    const url = `/api/v1/sources/${String(body['id'])}`
    await call('PATCH', url, { name: 'Mine' }, { 'if-match': String(headers['etag']) })
    const late = await call(
      'PATCH',
      url,
      { name: 'Yours' },
      { 'if-match': String(headers['etag']) },
    )
    expect(late).toMatchObject({ status: 412, body: { version: 2 } })
    expect((await call('GET', url)).body['name']).toBe('Mine')
  })

  test('disabling needs a reason, and the source keeps it', async () => {
    const { body } = await add()
    expect((await call('POST', `/api/v1/sources/${String(body['id'])}/disable`, {})).status).toBe(
      400,
    )
    const disabled = await call('POST', `/api/v1/sources/${String(body['id'])}/disable`, {
      reason: 'moved away',
    })
    expect(disabled.body).toMatchObject({ enabled: false, disabled_reason: 'moved away' })
    const enabled = await call('POST', `/api/v1/sources/${String(body['id'])}/enable`)
    expect(enabled.body).toMatchObject({ enabled: true, disabled_reason: null })
  })

  test('deleting tells what goes with it, and a dry run deletes nothing', async () => {
    const { body } = await add()
    const url = `/api/v1/sources/${String(body['id'])}`
    expect((await call('DELETE', `${url}?dry_run=true`)).body).toMatchObject({
      deleted: false,
      goes_with_it: { jobs: 0 },
    })
    expect((await call('DELETE', url)).body).toMatchObject({ deleted: true })
    expect((await call('GET', url)).status).toBe(404)
  })

  test('what a group sets holds unless the source says otherwise, and the view says where it came from', async () => {
    const group = await call('POST', '/api/v1/source-groups', {
      name: 'Dutch towns',
      settings: { priority: 'low', rate_limit: 2 },
    })
    const { body } = await add({ group_id: group.body['id'], rate_limit: 4 })
    expect(body['effective']).toMatchObject({
      priority: { value: 'low', from: 'group' },
      rate_limit: { value: 4, from: 'source' },
      max_depth: { value: 3, from: 'default' },
    })
    await call('PATCH', `/api/v1/source-groups/${String(group.body['id'])}`, {
      settings: { priority: 'high' },
    })
    const log = await call('GET', `/api/v1/events/log?source_id=${String(body['id'])}`)
    expect(log.body.data?.[0]).toMatchObject({
      event_type: 'SOURCE_UPDATED',
      payload: {
        changed_fields: ['priority'],
        previous: { priority: 'low' },
        current: { priority: 'high' },
      },
    })
  })
})

describe('many sources', () => {
  test('lists are paged, searched, filtered and sorted', async () => {
    for (const [name, priority] of [
      ['Alpha', 'low'],
      ['Beta', 'critical'],
      ['Gamma', null],
    ] as const) {
      await add({
        name,
        priority,
        url: `https://${name}.example.com`,
        tags: [name.toLowerCase(), 'all'],
      })
    }
    const names = async (query: string) =>
      ((await call('GET', `/api/v1/sources?${query}`)).body.data ?? []).map(
        (source) => source['name'],
      )
    expect(await names('limit=2&sort=-name')).toEqual(['Gamma', 'Beta'])
    expect(await names('limit=2&offset=2&sort=-name')).toEqual(['Alpha'])
    expect(await names('search=bet')).toEqual(['Beta'])
    expect(await names('search=%25')).toEqual([])
    expect(await names('tag=gamma')).toEqual(['Gamma'])
    expect(await names('priority=normal')).toEqual(['Gamma'])
    expect(await names('sort=-priority')).toEqual(['Beta', 'Gamma', 'Alpha'])
  })

  test('bulk changes answer for each row, and a dry run changes nothing', async () => {
    const a = (await add({ url: 'https://a.example.com' })).body['id']
    const missing = '00000000-0000-4000-8000-000000000000'
    const dry = await call('POST', '/api/v1/sources/bulk', {
      action: 'tag',
      ids: [a, missing],
      add: ['x'],
      dry_run: true,
    })
    expect(dry.body).toMatchObject({ dry_run: true, succeeded: 1, failed: 1 })
    const real = await call('POST', '/api/v1/sources/bulk', {
      action: 'disable',
      ids: [a, missing],
      reason: 'cleanup',
    })
    expect(real.body['results']).toEqual([
      { id: a, ok: true, changed: ['enabled'] },
      { id: missing, ok: false, error: 'there is no such source' },
    ])
  })
})

describe('import', () => {
  const send = (content: string | Buffer, type: string, query = '') =>
    call('POST', `/api/v1/sources/import${query}`, content, { 'content-type': type })

  test('a CSV with other headings, semicolons and flags', async () => {
    const { status, body } = await send(
      'Naam;Website;Prio;Actief;Labels\nEen;https://een.example.com;High;nee;a, b\nTwee;https://twee.example.com;;ja;',
      'text/csv',
    )
    expect({ status, body }).toMatchObject({ status: 201, body: { created: 2, format: 'csv' } })
    const { body: list } = await call('GET', '/api/v1/sources?search=een')
    expect(list.data?.[0]).toMatchObject({
      name: 'Een',
      priority: 'high',
      enabled: false,
      tags: ['a', 'b'],
    })
  })

  test('wrong rows are named by line and field, and nothing is imported', async () => {
    const csv =
      'name,url,priority\nGood,https://good.example.com,low\nBad,nowhere,low\nWorse,https://w.example.com,urgent\nTwin,https://good.example.com/,low\n'
    const preview = await send(csv, 'text/csv', '?preview=true')
    expect(preview.body).toMatchObject({ preview: true, rows: 4, valid: 1, created: 0 })
    expect(preview.body.errors?.map(({ line, field }) => [line, field])).toEqual([
      [3, 'url'],
      [4, 'priority'],
      [5, 'url'],
    ])
    expect((await send(csv, 'text/csv')).status).toBe(422)
    expect(await counts()).toEqual({ sources: 0, events: 0 })
  })

  test('an address that is already a source is an error of its row', async () => {
    await add()
    const { body } = await send(
      'name,url\nAgain,https://example.com/agenda\n',
      'text/csv',
      '?preview=true',
    )
    expect(body.errors?.[0]).toMatchObject({
      line: 2,
      field: 'url',
      message: expect.stringContaining('already the source "Example"'),
    })
  })

  test('a file that is not UTF-8 says so', async () => {
    const { status, body } = await send(
      Buffer.from('name,url\nCaf\xe9,https://cafe.example.com\n', 'latin1'),
      'text/csv',
    )
    expect({ status, detail: body['detail'] }).toMatchObject({
      status: 422,
      detail: expect.stringContaining('line 2 is not UTF-8'),
    })
  })

  test('an Excel workbook', async () => {
    const { status, body } = await send(
      workbook([
        ['Name', 'URL', 'Depth'],
        ['Sheet source', 'https://sheet.example.com', '2'],
      ]),
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    )
    expect({ status, body }).toMatchObject({ status: 201, body: { created: 1, format: 'xlsx' } })
  })

  test('an Excel workbook with wrong columns names what was meant', async () => {
    const { status, body } = await send(
      workbook([
        ['Nmae', 'Ulr'],
        ['x', 'y'],
      ]),
      'application/octet-stream',
    )
    expect(status).toBe(422)
    expect(body['unknown_columns']).toEqual([
      { column: 'Nmae', did_you_mean: 'name' },
      { column: 'Ulr', did_you_mean: 'url' },
    ])
  })

  test('feed subscriptions from OPML, with folders as tags', async () => {
    const opml =
      '<opml version="2.0"><body><outline text="Nieuws"><outline text="Krant" htmlUrl="https://krant.example.com" xmlUrl="https://krant.example.com/rss"/></outline></body></opml>'
    expect((await send(opml, 'text/x-opml')).status).toBe(201)
    const { body } = await call('GET', '/api/v1/sources')
    expect(body.data?.[0]).toMatchObject({
      name: 'Krant',
      feed_urls: ['https://krant.example.com/rss'],
      tags: ['Nieuws'],
    })
  })

  test.each(['csv', 'json'] as const)('an export as %s can be imported again', async (format) => {
    await add({
      tags: ['a', 'b'],
      notes: 'line\nbreak, "quoted"',
      crawl_window_start: 22,
      crawl_window_end: 6,
      crawl_window_days: [1, 2],
      selectors: { title: 'h1' },
    })
    const exported = await server.api.inject({
      url: `/api/v1/sources/export?format=${format}`,
      headers: server.as('viewer'),
    })
    const before = (await call('GET', '/api/v1/sources')).body.data?.[0]
    await database.sql`truncate sources cascade`
    const again = await send(exported.body, format === 'csv' ? 'text/csv' : 'application/json')
    expect(again.status).toBe(201)
    const after = (await call('GET', '/api/v1/sources')).body.data?.[0]
    const comparable = ({
      id: _i,
      created_at: _c,
      updated_at: _u,
      ...rest
    }: Record<string, unknown>) => rest
    expect(comparable(after ?? {})).toEqual(comparable(before ?? {}))
  })
})

/** The least a workbook needs: one sheet with inline text. */
function workbook(rows: string[][]): Buffer {
  const cells = rows.map(
    (row, y) =>
      `<row r="${y + 1}">${row.map((text, x) => `<c r="${String.fromCharCode(65 + x)}${y + 1}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`,
  )
  const sheet = `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells.join('')}</sheetData></worksheet>`
  return Buffer.from(zipSync({ 'xl/worksheets/sheet1.xml': strToU8(sheet) }))
}

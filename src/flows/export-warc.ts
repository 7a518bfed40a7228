import { STATUS_CODES } from 'node:http'
import { WARCRecord, WARCSerializer } from 'warcio'
import type { Archive } from '../archive/store.ts'
import { pagesOfRun, type PageRow } from '../crawl/page-list.ts'
import type { Db } from '../db/pool.ts'

const batchSize = 100

/** A run as WARC 1.1, record by record: redirects, bodies, and what we noted about each page. */
export async function* exportWarc(
  deps: { db: Db; archive: Archive; software: string },
  runId: string,
): AsyncGenerator<Uint8Array> {
  yield await packed(
    WARCRecord.createWARCInfo(
      { filename: `${runId}.warc.gz`, warcVersion: 'WARC/1.1' },
      { software: deps.software, format: 'WARC File Format 1.1', isPartOf: runId },
    ),
  )
  for (let after = '0'; ;) {
    const pages = await pagesOfRun(deps.db, runId, after, batchSize)
    for (const page of pages) yield* recordsOf(page, deps.archive)
    const last = pages.at(-1)
    if (last === undefined || pages.length < batchSize) return
    after = last.id
  }
}

async function* recordsOf(page: PageRow, archive: Archive): AsyncGenerator<Uint8Array> {
  const date = page.fetched_at.toISOString()
  for (const hop of page.redirects ?? [])
    yield await packed(response(hop.from, date, hop.status, { location: hop.to }, new Uint8Array()))
  const body =
    page.content_hash === null ? null : await archive.get(page.content_hash).catch(() => null)
  if (body !== null && page.status !== null) {
    const status = page.status === 304 ? 200 : page.status
    yield await packed(response(page.final_url, date, status, headersOf(page), body))
  }
  const { tier, outcome, reason, stale, title, strategy, fetch_ms, items_found } = page
  const note = JSON.stringify({
    tier,
    outcome,
    reason,
    stale,
    title,
    strategy,
    fetch_ms,
    items_found,
  })
  yield await packed(
    WARCRecord.create(
      {
        url: page.final_url,
        date,
        type: 'metadata',
        warcVersion: 'WARC/1.1',
        warcHeaders: { 'Content-Type': 'application/json' },
      },
      [Buffer.from(note)],
    ),
  )
}

/** As received, but for what the kept body is not any more: compressed. */
function headersOf({ headers, content_type }: PageRow): Record<string, string> {
  const { 'content-encoding': encoding, ...others } = headers ?? {}
  return {
    'content-type': content_type ?? 'application/octet-stream',
    ...others,
    ...(encoding !== undefined && { 'x-archive-orig-content-encoding': encoding }),
  }
}

/** Status and headers are as received; the body is as kept: decompressed. */
function response(
  url: string,
  date: string,
  status: number,
  headers: Record<string, string>,
  body: Uint8Array,
): WARCRecord {
  return WARCRecord.create(
    {
      url,
      date,
      type: 'response',
      warcVersion: 'WARC/1.1',
      statusline: `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trim(),
      httpHeaders: { ...headers, 'content-length': String(body.length) },
    },
    [body],
  )
}

function packed(record: WARCRecord): Promise<Uint8Array> {
  return WARCSerializer.serialize(record, { gzip: true })
}

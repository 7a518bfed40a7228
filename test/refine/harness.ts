import type { DemoSite } from '../../demo/index.ts'
import { transaction, type Sql } from '../../src/db/pool.ts'
import { loadArticleReader } from '../../src/extract/steps.ts'
import { insertRawItems } from '../../src/extract/store.ts'
import { parsePage } from '../../src/flows/parse/parse-page.ts'
import {
  runStageOnce,
  type Stage,
  type StageDeps,
  type StageRow,
} from '../../src/flows/refine/stage.ts'
import { manualClock, type ManualClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { hostKey, normalizeUrl, urlHash } from '../../src/kernel/url.ts'

export function stageDeps(sql: Sql, now: Date): StageDeps & { clock: ManualClock } {
  return {
    sql,
    clock: manualClock(now),
    log: silentLog,
    metrics: createMetrics({ process: false }),
  }
}

export async function drain<Row extends StageRow>(
  stage: Stage<Row>,
  deps: StageDeps,
): Promise<number> {
  let total = 0
  for (;;) {
    const taken = await runStageOnce(stage, deps)
    if (taken === 0) return total
    total += taken
  }
}

export async function addSource(
  sql: Sql,
  source: {
    name: string
    url: string
    timezone?: string
    locale?: string
    lat?: number
    lng?: number
  },
): Promise<string> {
  const id = newId()
  await sql`
    insert into sources (id, name, url, url_key, host_key, timezone, locale, default_lat, default_lng)
    values (${id}, ${source.name}, ${source.url}, ${urlHash(source.url)}, ${hostKey(source.url) ?? ''},
      ${source.timezone ?? null}, ${source.locale ?? null}, ${source.lat ?? null}, ${source.lng ?? null})`
  return id
}

export async function addRun(sql: Sql, sourceId: string, now: Date): Promise<string> {
  const id = newId(now.getTime())
  await sql`
    insert into runs (id, source_id, status, run_at, rank_at, started_at, completed_at)
    values (${id}, ${sourceId}, 'completed', ${now}, ${now}, ${now}, ${now})`
  return id
}

/** Fetches the pages of a demo site as a perfect crawl would, and hands what it finds to refinement. */
export async function crawlSite(
  sql: Sql,
  site: DemoSite,
  sourceId: string,
  runId: string,
  now: Date,
  known: Map<string, string>,
  draw: (url: string, shell: Uint8Array) => Promise<Uint8Array>,
): Promise<void> {
  await loadArticleReader()
  const { pages } = site.truth()
  const origin = new URL(site.url).origin
  const gone = [...known.keys()].filter(
    (url) => url.startsWith(origin) && !pages.some((page) => page.url === url),
  )
  for (const url of gone) {
    const { status } = await fetch(url)
    await sql`
      insert into pages (source_id, run_id, frontier_id, url, final_url, tier, outcome, status, fetched_at)
      select ${sourceId}, ${runId}, id, ${url}, ${url}, 'static', 'failed', ${status}, ${now}
      from frontier where source_id = ${sourceId} and url = ${url}`
  }
  for (const page of pages) {
    if (page.outcome !== 'fetched' || page.kind === 'sitemap') continue
    const response = await fetch(page.url)
    const plain = new Uint8Array(await response.arrayBuffer())
    const body = page.needs === 'browser' ? await draw(page.url, plain) : plain
    const parsed = parsePage({
      url: page.url,
      kind: page.kind,
      body,
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
      fetchedAt: now.getTime(),
      userAgent: 'Millrace',
      options: {},
      knownHash: known.get(page.url) ?? null,
      packFolder: null,
      extract: true,
    })
    known.set(page.url, parsed.hash)
    await transaction(sql, async (tx) => {
      const hash = urlHash(normalizeUrl(page.url) ?? page.url)
      const [frontier] = await tx<{ id: string }[]>`
        insert into frontier (source_id, url, url_hash, origin) values (${sourceId}, ${page.url}, decode(${hash}, 'hex'), 'link')
        on conflict (source_id, url_hash) do update set url = excluded.url returning id`
      const outcome = parsed.unchanged ? 'unchanged' : 'fetched'
      const [row] = await tx<{ id: string }[]>`
        insert into pages (source_id, run_id, frontier_id, url, final_url, tier, outcome, fetched_at)
        values (${sourceId}, ${runId}, ${frontier?.id ?? '0'}, ${page.url}, ${page.url}, 'static', ${outcome}, ${now}) returning id`
      await insertRawItems(
        tx,
        parsed.items.map((item) => ({
          source_id: sourceId,
          run_id: runId,
          page_id: row?.id ?? '0',
          url_hash: urlHash(normalizeUrl(item.url ?? page.url) ?? page.url),
          item,
        })),
      )
    })
  }
}

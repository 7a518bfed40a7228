import { transaction, type Sql } from '../../db/pool.ts'
import type { Clock } from '../../kernel/clock.ts'
import { normalizeUrl, urlHash } from '../../kernel/url.ts'
import { addUrls, finishUrls } from '../../crawl/frontier/store.ts'
import type { UrlResult } from '../../crawl/frontier/types.ts'
import { countDomains, insertPages, type NewPage } from '../../crawl/pages.ts'
import { insertInsights, insertRawItems } from '../../extract/store.ts'
import type { RunContext } from '../../runs/desk.ts'
import type { ClaimedRun } from '../../runs/types.ts'
import { foundItemAddress, recordStage, type StageEvent } from '../../stages/record.ts'
import { learnFromBatch } from '../learn-source.ts'
import { pageInsight } from '../page-insight.ts'
import type { ParsedPage } from '../parse/parse-page.ts'
import { keepFetchLetters } from './fetch-letters.ts'
import type { Discovery } from './found-urls.ts'
import type { CrawlTarget } from './target.ts'

export interface PageOutcome {
  judged: { url: UrlResult; page: NewPage | null }
  discovery: Discovery | null
  parsed: ParsedPage | null
}

/** Pages, new URLs, items and the state of the URLs, all in one transaction that only the holder of the run can commit. */
export async function commitBatch(
  deps: { sql: Sql; clock: Clock },
  run: ClaimedRun,
  context: RunContext,
  target: CrawlTarget,
  batch: readonly PageOutcome[],
): Promise<{ urlsNew: number; items: number }> {
  const now = deps.clock.now()
  return transaction(deps.sql, async (tx) => {
    await context.fence(tx)
    const withPage = batch.filter(
      (outcome): outcome is PageOutcome & { judged: { page: NewPage } } =>
        outcome.judged.page !== null,
    )
    const pageIds = await insertPages(
      tx,
      target.frontierId,
      run.id,
      withPage.map((outcome) => outcome.judged.page),
    )
    await finishUrls(
      tx,
      batch.map((outcome) => outcome.judged.url),
      now,
    )
    const urlsNew = await addUrls(
      tx,
      target.frontierId,
      batch.flatMap((outcome) => outcome.discovery?.urls ?? []),
      now,
    )
    await keepFetchLetters(tx, run, target, batch, now)
    await countDomains(tx, target.frontierId, mergeDomains(batch), now)
    const items = withPage.flatMap((outcome, index) =>
      (outcome.parsed?.items ?? []).map((item) => ({
        page_id: pageIds[index] ?? '0',
        url_hash: hashOf(item.url ?? outcome.judged.page.final_url),
        item,
      })),
    )
    await insertRawItems(tx, target.frontierId, run.id, items, now)
    await insertInsights(
      tx,
      target.frontierId,
      run.id,
      withPage.flatMap(
        (outcome, index) => pageInsight(pageIds[index] ?? '0', outcome.parsed) ?? [],
      ),
    )
    await learnFromBatch(
      tx,
      target.frontierId,
      batch.flatMap((outcome) => outcome.parsed ?? []),
    )
    await recordStage(
      tx,
      withPage.flatMap((outcome, index) =>
        crawledEvents(outcome, pageIds[index] ?? '0', target, run, now),
      ),
      now,
    )
    return { urlsNew, items: items.length }
  })
}

/** Each item that was found passed the first stage; items without a page of their own get an address on it. */
function crawledEvents(
  outcome: PageOutcome & { judged: { page: NewPage } },
  pageId: string,
  target: CrawlTarget,
  run: ClaimedRun,
  now: Date,
): StageEvent[] {
  const { page } = outcome.judged
  return (outcome.parsed?.items ?? []).map((item, index) => ({
    url:
      item.url ??
      foundItemAddress(page.final_url, { title: item.title, start: item.calendar?.start ?? null }),
    source: { id: run.sourceId, name: target.name },
    stage: 'crawled',
    occurredAt: now,
    serviceName: 'crawler',
    // Two items of a page may share an address; each is an event.
    idempotencyKey: `crawled:${pageId}:${index}`,
    metadata: {
      response_code: page.status,
      content_length: page.body_bytes,
      is_duplicate: page.outcome === 'unchanged',
    },
  }))
}

function hashOf(url: string): string | null {
  const normalized = normalizeUrl(url)
  return normalized === null ? null : urlHash(normalized)
}

function mergeDomains(batch: readonly PageOutcome[]): Discovery['domains'] {
  const merged = new Map<string, Discovery['domains'][number]>()
  for (const sighting of batch.flatMap((outcome) => outcome.discovery?.domains ?? [])) {
    const known = merged.get(sighting.domain)
    if (known === undefined) merged.set(sighting.domain, { ...sighting })
    else known.links += sighting.links
  }
  return [...merged.values()]
}

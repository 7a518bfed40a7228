import { keepBodies } from '../../archive/packs/index-of-bodies.ts'
import type { Archive } from '../../archive/store.ts'
import { transaction, type Sql, type Tx } from '../../db/pool.ts'
import type { Clock } from '../../kernel/clock.ts'
import { normalizeUrl, urlHash } from '../../kernel/url.ts'
import { addUrlsOfMany, finishUrls } from '../../crawl/frontier/store.ts'
import type { UrlResult } from '../../crawl/frontier/types.ts'
import { countDomains, insertPages, type DomainSighting, type NewPage } from '../../crawl/pages.ts'
import { insertInsights, insertRawItems, type NewRawItem } from '../../extract/store.ts'
import { holdLeases } from '../../runs/fence.ts'
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

/** What a run has to write. */
export interface RunBatch {
  run: ClaimedRun
  target: CrawlTarget
  outcomes: readonly PageOutcome[]
}

export interface CommitDeps {
  sql: Sql
  clock: Clock
  archive: Archive | null
}

export interface Committed {
  urlsNew: number
  items: number
}

/**
 * Pages, new URLs, items and the state of the URLs of several runs, all in one transaction. Nothing is written for a
 * run that somebody else holds by now; its answer is null.
 */
export async function commitBatches(
  deps: CommitDeps,
  batches: readonly RunBatch[],
): Promise<(Committed | null)[]> {
  return transaction(deps.sql, async (tx) => {
    const held = await holdLeases(
      tx,
      batches.map(({ run }) => run),
    )
    const ours = batches.filter(({ run }) => held.has(run.id))
    const urlsNew = await write(tx, ours, deps.archive, deps.clock.now())
    return batches.map(({ run, target, outcomes }) =>
      held.has(run.id)
        ? {
            urlsNew: urlsNew.get(target.frontierId) ?? 0,
            items: outcomes.reduce((sum, { judged, parsed }) => sum + itemsOf(judged, parsed), 0),
          }
        : null,
    )
  })
}

function itemsOf({ page }: PageOutcome['judged'], parsed: ParsedPage | null): number {
  return page === null ? 0 : (parsed?.items.length ?? 0)
}

/** New URLs, by source. */
async function write(
  tx: Tx,
  batches: readonly RunBatch[],
  archive: Archive | null,
  now: Date,
): Promise<Map<string, number>> {
  const pages = batches.flatMap(pagesOf)
  const kept = pages.flatMap(({ parsed }) => parsed?.kept ?? [])
  const ids = await insertPages(
    tx,
    pages.map(({ owner, page }) => ({ ...page, ...owner })),
  )
  const withId = pages.map((page, index) => ({ ...page, id: ids[index] ?? '0' }))
  // Sent together: the connection works them off in this order, without waiting for us in between.
  const [urlsNew] = await Promise.all([
    finishAndAdd(tx, batches, now),
    keepBodies(tx, kept),
    // On the disk before the page that speaks of them; beside the statements it took no time that could be measured.
    archive?.settle?.(kept),
    keepFetchLetters(tx, batches, now),
    countDomains(tx, batches.flatMap(domainsOf), now),
    insertRawItems(tx, withId.flatMap(rawItemsOf), now),
    insertInsights(tx, withId.flatMap(insightOf)),
    ...batches.map(({ target, outcomes }) =>
      learnFromBatch(
        tx,
        target.frontierId,
        outcomes.flatMap(({ parsed }) => parsed ?? []),
      ),
    ),
    recordStage(
      tx,
      withId.flatMap((page) => crawledEvents(page, now)),
      now,
    ),
  ])
  return urlsNew
}

/** A redirected URL takes its new address before others are added. */
async function finishAndAdd(
  tx: Tx,
  batches: readonly RunBatch[],
  now: Date,
): Promise<Map<string, number>> {
  const finished = finishUrls(
    tx,
    batches.flatMap(({ outcomes }) => outcomes.map(({ judged }) => judged.url)),
    now,
  )
  const added = addUrlsOfMany(
    tx,
    batches.map(({ target, outcomes }) => ({
      sourceId: target.frontierId,
      urls: outcomes.flatMap(({ discovery }) => discovery?.urls ?? []),
    })),
    now,
  )
  const [, urlsNew] = await Promise.all([finished, added])
  return urlsNew
}

function rawItemsOf({ id, owner, page, parsed }: OwnedPage & { id: string }): NewRawItem[] {
  return (parsed?.items ?? []).map((item) => ({
    ...owner,
    page_id: id,
    url_hash: hashOf(item.url ?? page.final_url),
    item,
  }))
}

function insightOf({ id, owner, parsed }: OwnedPage & { id: string }) {
  const insight = pageInsight(id, parsed)
  return insight === null ? [] : [{ ...owner, ...insight }]
}

interface OwnedPage {
  owner: { source_id: string; run_id: string }
  batch: RunBatch
  page: NewPage
  parsed: ParsedPage | null
}

function pagesOf(batch: RunBatch): OwnedPage[] {
  const owner = { source_id: batch.target.frontierId, run_id: batch.run.id }
  return batch.outcomes.flatMap(({ judged, parsed }) =>
    judged.page === null ? [] : [{ owner, batch, page: judged.page, parsed }],
  )
}

/** Each item that was found passed the first stage; items without a page of their own get an address on it. */
function crawledEvents(
  { id, batch, page, parsed }: OwnedPage & { id: string },
  now: Date,
): StageEvent[] {
  return (parsed?.items ?? []).map((item, index) => ({
    url:
      item.url ??
      foundItemAddress(page.final_url, { title: item.title, start: item.calendar?.start ?? null }),
    source: { id: batch.run.sourceId, name: batch.target.name },
    stage: 'crawled',
    occurredAt: now,
    serviceName: 'crawler',
    // Two items of a page may share an address; each is an event.
    idempotencyKey: `crawled:${id}:${index}`,
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

function domainsOf({ target, outcomes }: RunBatch): (DomainSighting & { source_id: string })[] {
  const merged = new Map<string, DomainSighting & { source_id: string }>()
  for (const sighting of outcomes.flatMap(({ discovery }) => discovery?.domains ?? [])) {
    const known = merged.get(sighting.domain)
    if (known === undefined)
      merged.set(sighting.domain, { ...sighting, source_id: target.frontierId })
    else known.links += sighting.links
  }
  return [...merged.values()]
}

import { countDue } from '../../crawl/frontier/store.ts'
import type { RunResult } from '../../runs/types.ts'
import type { RunContext } from '../../runs/desk.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import type { CrawlTarget } from './target.ts'

/** What a run has done so far, for its progress and its result. */
export interface Tally {
  fetched: number
  unchanged: number
  failed: number
  refused: number
  /** Places where sites often keep something and this one does not: nothing went wrong. */
  guesses_missed: number
  /** Failed, and read from a copy of less than a day ago. */
  stale: number
  urls_new: number
  items: number
  bytes: number
}

const reportMs = 2000

export function createTally(): Tally {
  return {
    fetched: 0,
    unchanged: 0,
    failed: 0,
    refused: 0,
    guesses_missed: 0,
    stale: 0,
    urls_new: 0,
    items: 0,
    bytes: 0,
  }
}

/** Reports progress now and then; counting what is due costs as much as there is, so not with every batch. */
export function createReporter(
  deps: Pick<CrawlDeps, 'sql' | 'clock'>,
  target: Pick<CrawlTarget, 'frontierId' | 'maxPages'>,
  context: Pick<RunContext, 'progress'>,
  tally: Tally,
): () => Promise<void> {
  let last = -Infinity
  return async () => {
    if (performance.now() - last < reportMs) return
    last = performance.now()
    const due = await countDue(deps.sql, target.frontierId, deps.clock.now())
    const handled =
      tally.fetched + tally.unchanged + tally.failed + tally.refused + tally.guesses_missed
    const total = Math.min(handled + due, target.maxPages)
    const percent = total === 0 ? 100 : Math.min(99, Math.floor((100 * handled) / total))
    context.progress({ percent, phase: 'crawling', counters: { ...tally } })
  }
}

export function resultOf(tally: Tally, contentHash: string | null): RunResult {
  const { fetched, unchanged, items, urls_new } = tally
  return {
    itemsCrawled: fetched + unchanged,
    itemsIndexed: items,
    itemsSeen: fetched + unchanged,
    itemsNew: Math.min(urls_new, fetched),
    counters: { ...tally },
    ...(contentHash !== null && { contentHash }),
  }
}

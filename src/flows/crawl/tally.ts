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
const countMs = 15_000

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

/** Reports progress now and then. Counting what is due costs as much as there is: in between, it is worked out. */
export function createReporter(
  deps: Pick<CrawlDeps, 'sql' | 'clock'>,
  target: Pick<CrawlTarget, 'frontierId' | 'maxPages'>,
  context: Pick<RunContext, 'progress'>,
  tally: Tally,
): () => Promise<void> {
  let reportedAt = -Infinity
  let counted = { at: -Infinity, due: 0, handled: 0, added: 0 }
  return async () => {
    const now = performance.now()
    if (now - reportedAt < reportMs) return
    reportedAt = now
    const handled = handledBy(tally)
    const added = tally.urls_new
    if (now - counted.at > countMs) {
      const due = await countDue(deps.sql, target.frontierId, deps.clock.now())
      counted = { at: now, due, handled, added }
    }
    const due = Math.max(0, counted.due + added - counted.added - (handled - counted.handled))
    const total = Math.min(handled + due, target.maxPages)
    const percent = total === 0 ? 100 : Math.min(99, Math.floor((100 * handled) / total))
    context.progress({ percent, phase: 'crawling', counters: { ...tally } })
  }
}

function handledBy(tally: Tally): number {
  return tally.fetched + tally.unchanged + tally.failed + tally.refused + tally.guesses_missed
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

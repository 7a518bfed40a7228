import { claimUrls } from '../../crawl/frontier/store.ts'
import type { ClaimedUrl } from '../../crawl/frontier/types.ts'
import type { ClaimedRun } from '../../runs/types.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import type { CrawlTarget } from './target.ts'

/** The URLs a run has claimed. */
export interface DueUrls {
  /** Not yet begun. */
  readonly ready: ClaimedUrl[]
  /** Not yet committed: fetched at most once, however long the commit takes. */
  readonly inHand: Set<string>
  /** False when the last claim found the end, and nothing was added since. */
  mayHaveMore(): boolean
  /** URLs were added to the frontier. */
  added(): void
  /** Takes more of what is due, so many at most. */
  claim(budget: number): Promise<void>
  /** The same before it is needed, so that no fetch waits for the database. */
  claimAhead(budget: number): void
  /** No claim is under way any more. */
  settled(): Promise<void>
}

const chunk = 100

export function createDueUrls(deps: CrawlDeps, run: ClaimedRun, target: CrawlTarget): DueUrls {
  const ready: ClaimedUrl[] = []
  const inHand = new Set<string>()
  let claiming: Promise<void> | null = null
  let more = true

  const take = async (budget: number): Promise<void> => {
    const limit = Math.min(chunk, budget - ready.length)
    if (limit <= 0) return
    more = false
    const claimed = await claimUrls(deps.sql, {
      sourceId: target.frontierId,
      runId: run.id,
      now: deps.clock.now(),
      limit,
      inFlight: [...inHand],
      feeds: deps.pollFeeds ?? true,
    })
    more ||= claimed.length === limit
    ready.push(...claimed)
    for (const url of claimed) inHand.add(url.id)
  }
  const claim = (budget: number): Promise<void> =>
    (claiming ??= take(budget).finally(() => (claiming = null)))
  // Whoever needs URLs asks again, and hears then what is wrong.
  const quietly = (claimed: Promise<void>): Promise<void> => claimed.catch(() => {})
  return {
    ready,
    inHand,
    mayHaveMore: () => more,
    added: () => {
      more = true
    },
    claim,
    claimAhead: (budget) => {
      if (more && ready.length < chunk / 2) void quietly(claim(budget))
    },
    settled: async () => {
      if (claiming !== null) await quietly(claiming)
    },
  }
}

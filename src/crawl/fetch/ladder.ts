import { tierNames, type FailedFetch, type FetchRequest, type FetchResult } from './types.ts'
import type { FetchTier, TierName } from './types.ts'

/** What a source taught us about how it wants to be fetched. */
export interface TierMemory {
  tier: TierName
  /** When to try the cheaper tiers again. */
  retryAt: Date | null
  /** How often that was tried in vain. */
  failures: number
}

export interface LadderSource {
  renderMode: string
  proxy: string | null
  memory: TierMemory
}

export interface LadderUrl {
  id: string
  kind: 'page' | 'listing' | 'feed' | 'sitemap'
  /** The front door decides what the whole source needs. */
  isStart: boolean
}

export interface LadderOptions {
  tiers: readonly FetchTier[]
  timeoutMs: number
  now: () => Date
  /** The proxy for the next request of a source without its own. */
  nextProxy?: () => string | null
}

/** Fetches of one run: starts with what worked last time, climbs when it must, and says what it learned. */
export interface Climb {
  fetch(url: LadderUrl, request: FetchRequest): Promise<FetchResult>
  /** A fetch gave nothing: the same again, a stronger tier, or the end. */
  failed(url: LadderUrl, failure: FailedFetch): 'again' | 'climbed' | 'give_up'
  /** The answer was a challenge, or a shell that only scripts fill. */
  rejected(url: LadderUrl, tier: TierName, why: 'blocked' | 'needs_browser'): 'climbed' | 'give_up'
  /** Real content; returns what to remember when the source turned out to need another tier. */
  succeeded(url: LadderUrl, tier: TierName): TierMemory | null
}

export type Ladder = (source: LadderSource) => Climb

/** 403, 429 and timeouts may be meant for simple clients; other failures are what they are. */
const escalating = new Set<string>(['blocked', 'rate_limited', 'timeout'])
const staticTries = 3
/** After so many URLs that no tier could get, a run stops climbing. */
const mostInVain = 3
/** So many pages in need of a browser make it the tier of the source; the front door alone does, too. */
const needsForAll = 3
const dayMs = 86_400_000
const longestRetryDays = 7

interface Ascent {
  tier: TierName
  tries: number
  timeouts: number
  needsBrowser: boolean
}

export function createLadder(options: LadderOptions): Ladder {
  return (source) => createClimb(options, source)
}

function createClimb(options: LadderOptions, source: LadderSource): Climb {
  const tiers = new Map(options.tiers.map((tier) => [tier.name, tier]))
  const rungs = rungsFor(tiers, source.renderMode)
  const ascents = new Map<string, Ascent>()
  const { memory } = source
  const trying = memory.tier !== 'static' && (memory.retryAt ?? options.now()) <= options.now()
  let current: TierName = clamp(rungs, floorOf(source.renderMode, memory.tier))
  let inVain = 0
  let needing = 0

  const allowedFor = (url: LadderUrl): TierName[] =>
    url.kind === 'feed' || url.kind === 'sitemap' ? rungs.filter((r) => r !== 'browser') : rungs
  const isTrial = (url: LadderUrl): boolean =>
    trying && url.isStart && source.renderMode !== 'browser'
  const ascentOf = (url: LadderUrl): Ascent =>
    ascents.get(url.id) ?? {
      tier: isTrial(url) ? 'static' : clamp(allowedFor(url), current),
      tries: 0,
      timeouts: 0,
      needsBrowser: false,
    }
  const higher = (url: LadderUrl, tier: TierName): TierName | null =>
    allowedFor(url).find((rung) => rank(rung) > rank(tier)) ?? null
  const climb = (
    url: LadderUrl,
    to: TierName | null,
    needsBrowser = false,
  ): 'climbed' | 'give_up' => {
    if (to === null || (inVain >= mostInVain && !needsBrowser)) {
      ascents.delete(url.id)
      if (to === null) inVain++
      return 'give_up'
    }
    ascents.set(url.id, { tier: to, tries: 0, timeouts: 0, needsBrowser })
    return 'climbed'
  }

  return {
    fetch: async (url, request) => {
      const { tier, timeouts } = ascentOf(url)
      const found = tiers.get(tier)
      if (found === undefined) throw new Error(`there is no ${tier} tier`)
      return found.fetch({
        ...request,
        proxy: source.proxy ?? options.nextProxy?.() ?? null,
        ...(timeouts > 0 && { timeoutMs: options.timeoutMs * 2 }),
        // A shell that did not change says nothing about the page that scripts make of it.
        ...(isTrial(url) && { etag: null, lastModified: null }),
      })
    },
    failed: (url, failure) => {
      if (!escalating.has(failure.kind)) return 'give_up'
      const ascent = ascentOf(url)
      const tries = ascent.tries + 1
      const allowed = ascent.tier === 'static' && !isTrial(url) ? staticTries : 1
      if (tries < allowed && inVain < mostInVain) {
        const timeouts = ascent.timeouts + Number(failure.kind === 'timeout')
        ascents.set(url.id, { ...ascent, tries, timeouts })
        return 'again'
      }
      return climb(url, higher(url, ascent.tier))
    },
    rejected: (url, tier, why) => {
      if (why === 'blocked') return climb(url, higher(url, tier))
      const browser = allowedFor(url).includes('browser') && rank(tier) < rank('browser')
      return browser ? climb(url, 'browser', true) : 'give_up'
    },
    succeeded: (url, tier) => {
      const ascent = ascents.get(url.id)
      ascents.delete(url.id)
      if (isTrial(url)) {
        const before = memory.tier
        current = tier
        return rank(tier) < rank(before)
          ? remembered(tier, 0)
          : remembered(tier, memory.failures + 1)
      }
      if (rank(tier) <= rank(current)) return null
      if (ascent?.needsBrowser === true && ++needing < needsForAll && !url.isStart) return null
      current = tier
      return remembered(tier, 0)
    },
  }

  function remembered(tier: TierName, failures: number): TierMemory {
    const days = Math.min(2 ** failures, longestRetryDays)
    const retryAt = new Date(options.now().getTime() + days * dayMs)
    return { tier, failures, retryAt: tier === 'static' ? null : retryAt }
  }
}

function rungsFor(tiers: ReadonlyMap<TierName, FetchTier>, renderMode: string): TierName[] {
  return tierNames.filter(
    (name) => tiers.has(name) && (name !== 'browser' || renderMode !== 'static'),
  )
}

function floorOf(renderMode: string, remembered: TierName): TierName {
  return renderMode === 'browser' && rank(remembered) < rank('browser') ? 'browser' : remembered
}

/** The nearest rung at or below the wanted one. */
function clamp(rungs: readonly TierName[], wanted: TierName): TierName {
  return rungs.filter((rung) => rank(rung) <= rank(wanted)).at(-1) ?? 'static'
}

function rank(tier: TierName): number {
  return tierNames.indexOf(tier)
}

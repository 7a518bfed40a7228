import { createGate, type HostGate } from '../../crawl/politeness/gate.ts'
import { freeForAll, type HostRules } from '../../crawl/politeness/robots-cache.ts'
import type { Slot } from '../../crawl/politeness/slot.ts'
import { politeDelayMs } from '../../crawl/politeness/slots.ts'
import { hostKey } from '../../kernel/url.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import type { CrawlTarget } from './target.ts'

/** What one run keeps about the hosts it visits: their rules, and the gate that spaces its requests. */
export interface Turnstiles {
  rulesFor(url: string): Promise<HostRules>
  gateFor(url: string, rules: HostRules): HostGate
  /** Waits for a slot of whichever host a redirect leads to. */
  passHop(url: string, signal: AbortSignal): Promise<Slot | null>
  /** A browser asked for more than the page itself: the host rests for as many slots. */
  charge(url: string): void
}

export function createTurnstiles(deps: CrawlDeps, target: CrawlTarget): Turnstiles {
  const gates = new Map<string, HostGate>()
  const rulesFor = async (url: string): Promise<HostRules> =>
    deps.respectRobots ? deps.robots.rulesFor(url) : freeForAll
  const gateFor = (url: string, rules: HostRules): HostGate => {
    const key = hostKey(url) ?? ''
    let gate = gates.get(key)
    if (gate === undefined) {
      const delayMs = politeDelayMs({
        crawlDelayMs: rules.crawlDelayMs,
        rateLimit: target.rateLimit,
        floorMs: deps.floorMs,
      })
      gate = createGate(deps.sql, key, delayMs)
      gates.set(key, gate)
    }
    return gate
  }
  return {
    rulesFor,
    gateFor,
    passHop: async (url, signal) => gateFor(url, await rulesFor(url)).pass(signal),
    // Hosts of scripts and styles that the run does not crawl have no gate, and nobody to wait.
    charge: (url) => gates.get(hostKey(url) ?? '')?.charge(),
  }
}

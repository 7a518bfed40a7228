import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/pool.ts'
import { decodeBody } from '../charset/index.ts'
import type { FailureKind, FetchRequest, FetchResult } from '../fetch/types.ts'
import { createGate } from './gate.ts'
import type { Slot } from './slot.ts'
import { crawlDelay, isAllowed, parseRobots, type Robots } from '../robots/index.ts'

export interface HostRules {
  allows(url: string): boolean
  crawlDelayMs: number | null
  sitemaps: readonly string[]
  /** How robots.txt answered: for the log and the funnel. */
  verdict: 'rules' | 'allow_all' | 'disallow_all'
  /** The host did not answer, or with an error of its own; that, and not a rule, is why nothing is fetched now. */
  unreachable: FailureKind | null
}

export interface RobotsCacheOptions {
  db: Db
  userAgent: string
  fetch: (url: string, turns: Pick<FetchRequest, 'slot' | 'beforeHop'>) => Promise<FetchResult>
  now: () => Date
  /** Distance of this request to others, when several workers ask at once. */
  floorMs?: number
}

export interface RobotsCache {
  rulesFor(url: string): Promise<HostRules>
}

/** For operators who do not keep to robots.txt. */
export const freeForAll: HostRules = {
  allows: () => true,
  crawlDelayMs: null,
  sitemaps: [],
  verdict: 'allow_all',
  unreachable: null,
}

const keptMs = 24 * 3_600_000
/** An unreachable robots.txt forbids everything, but not for long. */
const failureKeptMs = 10 * 60_000
const longestCrawlDelayMs = 60_000
/** A host with a long line is asked out of turn rather than never. */
const patienceMs = 60_000

interface Stored {
  robots: string | null
  robots_status: number | null
  robots_failure: FailureKind | null
  robots_expires_at: Date | null
}

/** robots.txt of each origin, shared by all workers through the database and kept parsed in memory. */
export function createRobotsCache(options: RobotsCacheOptions): RobotsCache {
  const memory = new LRUCache<string, { rules: HostRules; until: number }>({ max: 5000 })
  const loading = new Map<string, Promise<HostRules>>()
  return {
    rulesFor: async (url) => {
      const origin = new URL(url).origin
      const known = memory.get(origin)
      if (known !== undefined && known.until > options.now().getTime()) return known.rules
      const running = loading.get(origin)
      if (running !== undefined) return running
      const task = load(origin, options, (rules, until) => memory.set(origin, { rules, until }))
      loading.set(origin, task)
      try {
        return await task
      } finally {
        loading.delete(origin)
      }
    },
  }
}

async function load(
  origin: string,
  options: RobotsCacheOptions,
  keep: (rules: HostRules, until: number) => void,
): Promise<HostRules> {
  const host = new URL(origin).host
  const now = options.now()
  const known = await storedRules(host, options, keep)
  if (known !== null) return known
  const floorMs = options.floorMs ?? 0
  const takeTurn = (url: string): Promise<Slot | null> =>
    createGate(options.db, new URL(url).host, floorMs).pass(AbortSignal.timeout(patienceMs))
  const asked = performance.now()
  const slot = await takeTurn(origin)
  if (performance.now() - asked > floorMs) {
    // Another worker may have asked meanwhile.
    const meanwhile = await storedRules(host, options, keep)
    if (meanwhile !== null) return meanwhile
  }
  const answer = await options.fetch(`${origin}/robots.txt`, { slot, beforeHop: takeTurn })
  const { text, status, failure, ttlMs } = readAnswer(answer)
  const until = new Date(now.getTime() + ttlMs)
  const rules = toRules(text, status, failure, options.userAgent)
  // The distance that the host asks for counts from now on, whatever was reserved before it was known.
  const delayMs = Math.max(rules.crawlDelayMs ?? 0, floorMs)
  await options.db`
    insert into hosts as h (host_key, robots, robots_status, robots_failure, robots_fetched_at, robots_expires_at, crawl_delay_ms, next_slot_at)
    values (${host}, ${text}, ${status}, ${failure}, ${now}, ${until}, ${rules.crawlDelayMs},
      clock_timestamp() + ${delayMs} * interval '1 millisecond')
    on conflict (host_key) do update set robots = excluded.robots, robots_status = excluded.robots_status, robots_failure = excluded.robots_failure,
      robots_fetched_at = excluded.robots_fetched_at, robots_expires_at = excluded.robots_expires_at,
      crawl_delay_ms = excluded.crawl_delay_ms,
      next_slot_at = greatest(h.next_slot_at, excluded.next_slot_at)`
  keep(rules, until.getTime())
  return rules
}

async function storedRules(
  host: string,
  options: RobotsCacheOptions,
  keep: (rules: HostRules, until: number) => void,
): Promise<HostRules | null> {
  const [stored] = await options.db<Stored[]>`
    select robots, robots_status, robots_failure, robots_expires_at from hosts where host_key = ${host}`
  if (!stored?.robots_expires_at || stored.robots_expires_at <= options.now()) return null
  const { robots, robots_status, robots_failure, robots_expires_at } = stored
  const rules = toRules(robots, robots_status, robots_failure, options.userAgent)
  keep(rules, robots_expires_at.getTime())
  return rules
}

interface Answer {
  text: string | null
  status: number | null
  failure: FailureKind | null
  ttlMs: number
}

/** RFC 9309: no robots.txt (4xx) allows everything, a broken server (5xx or no answer) forbids everything. */
function readAnswer(answer: FetchResult): Answer {
  if (answer.ok) {
    const { text } = decodeBody(answer.body, answer.headers['content-type'] ?? 'text/plain')
    return {
      text: text.replaceAll('\u0000', ''),
      status: answer.status,
      failure: null,
      ttlMs: keptMs,
    }
  }
  if (answer.kind === 'too_many_redirects')
    return { text: null, status: 404, failure: null, ttlMs: failureKeptMs }
  if (answer.status === null)
    return { text: null, status: null, failure: answer.kind, ttlMs: failureKeptMs }
  return {
    text: null,
    status: answer.status,
    failure: null,
    ttlMs: allowsAll(answer.status) ? keptMs : failureKeptMs,
  }
}

function allowsAll(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429
}

/** A host in trouble, or one that has enough of us: both pass. */
function trouble(status: number | null): FailureKind | null {
  if (status === 429) return 'rate_limited'
  return status !== null && status >= 500 ? 'http_5xx' : null
}

function toRules(
  text: string | null,
  status: number | null,
  failure: FailureKind | null,
  userAgent: string,
): HostRules {
  if (text === null) {
    const allowed = status !== null && allowsAll(status)
    return {
      allows: () => allowed,
      crawlDelayMs: null,
      sitemaps: [],
      verdict: allowed ? 'allow_all' : 'disallow_all',
      unreachable: failure ?? trouble(status),
    }
  }
  const robots: Robots = parseRobots(text)
  const seconds = crawlDelay(robots, userAgent)
  return {
    allows: (url) => isAllowed(robots, userAgent, url),
    crawlDelayMs: seconds === null ? null : Math.min(seconds * 1000, longestCrawlDelayMs),
    sitemaps: robots.sitemaps,
    verdict: 'rules',
    unreachable: null,
  }
}

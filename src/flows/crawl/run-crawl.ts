import { Permanent, messageOf } from '../../kernel/errors.ts'
import { hostKey } from '../../kernel/url.ts'
import { createCookieStore } from '../../crawl/fetch/cookies.ts'
import { claimUrls, countDue, touchUrl } from '../../crawl/frontier/store.ts'
import type { ClaimedUrl } from '../../crawl/frontier/types.ts'
import type { Climb, LadderUrl } from '../../crawl/fetch/ladder.ts'
import { rememberTier } from '../../crawl/fetch/tier-memory.ts'
import type {
  FailedFetch,
  FailureKind,
  FetchResult,
  FetchedResponse,
  TierName,
} from '../../crawl/fetch/types.ts'
import { createGate, type HostGate } from '../../crawl/politeness/gate.ts'
import { politeDelayMs } from '../../crawl/politeness/slots.ts'
import { freeForAll, type HostRules } from '../../crawl/politeness/robots-cache.ts'
import type { Execute, RunContext } from '../../runs/desk.ts'
import type { ClaimedRun, RunResult } from '../../runs/types.ts'
import type { ParsedPage } from '../parse/parse-page.ts'
import { Unparsable } from '../parse/unparsable.ts'
import { tryUsualPlaces } from '../alternative-paths.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import { commitBatch, type PageOutcome } from './commit-batch.ts'
import { discover } from './found-urls.ts'
import { createHostCircuits, type HostCircuits } from './host-circuits.ts'
import { seedsOf } from './seeds.ts'
import { extractOptions, loadTarget, type CrawlTarget } from './target.ts'
import {
  asFailure,
  judgeFailure,
  judgeSuccess,
  noAnswer,
  postponed,
  refusedUrl,
} from './url-result.ts'

const claimChunk = 100
const flushSize = 100
const flushMs = 300
const defaultHoldMs = 60_000
/** Failures that often pass by themselves are tried again within the run. */
const passing = new Set<string>(['http_5xx'])
const triesPerRun = 3
/** A longer pause than this is for the next run. */
const longestWaitMs = 60_000

/** One run: take due URLs, fetch them politely, read them in threads, commit in batches, until nothing is due. */
export function createCrawl(deps: CrawlDeps): Execute {
  return async (run, context) => {
    const target = await loadTarget(deps.sql, run, { maxPages: deps.maxPages })
    if (target === null) throw new Permanent('the source is gone')
    const crawl = new Crawl(deps, run, context, target)
    return crawl.run()
  }
}

/** The state of one run; it lives as long as the run. */
class Crawl {
  readonly #deps: CrawlDeps
  readonly #run: ClaimedRun
  readonly #context: RunContext
  readonly #target: CrawlTarget
  readonly #gates = new Map<string, HostGate>()
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #ready: ClaimedUrl[] = []
  /** Claimed and not yet committed: fetched at most once, however long the commit takes. */
  readonly #inHand = new Set<string>()
  readonly #tries = new Map<string, number>()
  readonly #cookies = createCookieStore()
  readonly #climb: Climb
  readonly #circuits: HostCircuits
  #closedUntil: Date | null = null
  #guessed = false
  #done: PageOutcome[] = []
  #flushing: Promise<void> | null = null
  #lastFlush = 0
  #started = 0
  #failure: unknown = null
  #startFailure: string | null = null
  #startHash: string | null = null
  readonly #counters = {
    fetched: 0,
    unchanged: 0,
    failed: 0,
    refused: 0,
    urls_new: 0,
    items: 0,
    bytes: 0,
  }

  constructor(deps: CrawlDeps, run: ClaimedRun, context: RunContext, target: CrawlTarget) {
    this.#deps = deps
    this.#run = run
    this.#context = context
    this.#target = target
    this.#climb = deps.ladder(target)
    this.#circuits = createHostCircuits(deps)
  }

  async run(): Promise<RunResult> {
    const { signal } = this.#context
    const rules = await this.#rulesFor(this.#target.startUrl)
    await this.#seed(rules)
    this.#lastFlush = performance.now()
    while (!signal.aborted && this.#failure === null) {
      await this.#fill()
      if (this.#inFlight.size === 0 && this.#ready.length === 0) {
        // What a batch under way brings is not due before it is written.
        await this.#flushing
        await this.#flush()
        if (!(await this.#fill()) && !((await this.#guess(rules)) && (await this.#fill()))) break
      }
      await Promise.race([
        ...this.#inFlight.values(),
        new Promise((resolve) => setTimeout(resolve, flushMs)),
      ])
      if (this.#done.length >= flushSize || performance.now() - this.#lastFlush > flushMs)
        this.#startFlush()
    }
    await Promise.allSettled(this.#inFlight.values())
    await this.#flushing
    if (this.#failure !== null)
      throw this.#failure instanceof Error ? this.#failure : new Error(messageOf(this.#failure))
    signal.throwIfAborted()
    await this.#flush()
    return this.#result()
  }

  async #seed(rules: HostRules): Promise<void> {
    // A run that goes on where another died keeps what that one already did.
    if (this.#run.retryCount > 0 || (this.#run.attempts?.length ?? 0) > 0) return
    const now = this.#deps.clock.now()
    for (const seed of seedsOf(this.#target, rules))
      await touchUrl(this.#deps.sql, this.#target.frontierId, seed, now)
  }

  /** Nothing is due any more: have a look where sites usually keep what was not found. */
  async #guess(rules: HostRules): Promise<boolean> {
    if (this.#guessed || this.#closedUntil !== null || this.#context.signal.aborted) return false
    this.#guessed = true
    const feeds = this.#deps.discoverFeeds ?? true
    const { sql, clock } = this.#deps
    return (await tryUsualPlaces(sql, this.#target, rules, { feeds }, clock.now())) > 0
  }

  /** Keeps as many fetches going as allowed; false when there is nothing left to take. */
  async #fill(): Promise<boolean> {
    const room = this.#deps.concurrency - this.#inFlight.size
    const budget = this.#target.maxPages - this.#started
    if (this.#closedUntil !== null)
      for (const url of this.#ready.splice(0)) this.#wait(url, this.#closedUntil)
    if (room <= 0 || budget <= 0 || this.#closedUntil !== null) return this.#inFlight.size > 0
    if (this.#ready.length === 0) {
      const claimed = await claimUrls(this.#deps.sql, {
        sourceId: this.#target.frontierId,
        runId: this.#run.id,
        now: this.#deps.clock.now(),
        limit: Math.min(claimChunk, budget),
        inFlight: [...this.#inHand],
      })
      this.#ready.push(...claimed)
      for (const url of claimed) this.#inHand.add(url.id)
    }
    for (const url of this.#ready.splice(0, Math.min(room, budget))) {
      this.#started++
      const work = this.#visit(url)
        .catch((error: unknown) => {
          this.#failure ??= error
        })
        .finally(() => {
          this.#inFlight.delete(url.id)
          this.#circuits.settled(hostKey(url.url) ?? '')
        })
      this.#inFlight.set(url.id, work)
    }
    return this.#inFlight.size > 0
  }

  async #visit(url: ClaimedUrl): Promise<void> {
    const { signal } = this.#context
    const closedUntil = await this.#circuits.closedUntil(hostKey(url.url) ?? '')
    if (closedUntil !== null) return this.#wait(url, closedUntil)
    const rules = await this.#rulesFor(url.url)
    if (rules.unreachable !== null) return this.#unreachable(url, rules.unreachable)
    if (!rules.allows(url.url)) return this.#refuse(url, 'robots')
    if (!(await this.#gateFor(url.url, rules).pass(signal))) return
    const result = await this.#climb.fetch(this.#rung(url), {
      url: url.url,
      etag: url.etag,
      lastModified: url.lastModified,
      signal,
      cookies: this.#cookies,
    })
    if (!result.ok && result.kind === 'stopped') return
    await this.#digest(url, result, rules)
  }

  async #digest(url: ClaimedUrl, result: FetchResult, rules: HostRules): Promise<void> {
    const now = this.#deps.clock.now()
    if (!result.ok) {
      if (await this.#tryAgain(url, result, rules)) return
      this.#fail(url, result, result.kind)
      return
    }
    if (result.notModified) {
      await this.#learn(url, result.tier)
      this.#counters.unchanged++
      this.#done.push({
        judged: judgeSuccess(url, result, null, now),
        discovery: null,
        parsed: null,
      })
      return
    }
    try {
      const parsed = await this.#deps.pool.parse({
        url: result.finalUrl,
        kind: url.kind,
        body: result.body,
        headers: result.headers,
        fetchedAt: now.getTime(),
        userAgent: this.#deps.userAgent,
        knownHash: url.contentHash,
        archiveFolder: this.#deps.archiveFolder,
        extract: this.#deps.extract,
        options: extractOptions(this.#target),
        ...(this.#target.timezone !== null && { timezone: this.#target.timezone }),
        ...(this.#target.locale !== null && { locale: this.#target.locale }),
      })
      if (this.#rejected(url, result, parsed)) return
      if (!parsed.unchanged) await this.#deps.archive?.put(parsed.hash, result.body)
      if (parsed.blocked !== null)
        return this.#fail(url, asFailure(result, 'blocked', parsed.blocked), 'blocked')
      await this.#learn(url, result.tier)
      this.#count(url, result.body.length, parsed.unchanged, parsed.hash)
      this.#done.push({
        judged: judgeSuccess(url, result, parsed, now),
        discovery: parsed.unchanged ? null : discover(url, parsed, this.#target, rules),
        parsed,
      })
    } catch (error) {
      if (!(error instanceof Unparsable)) throw error
      this.#fail(url, asFailure(result, 'bad_response', error.message), 'unparsable')
    }
  }

  /** Puts a URL back for another try in this run, after whatever pause the host asked for. */
  async #tryAgain(url: ClaimedUrl, failure: FailedFetch, rules: HostRules): Promise<boolean> {
    const askedMs = failure.retryAfterMs ?? (failure.kind === 'rate_limited' ? defaultHoldMs : 0)
    if (askedMs > 0) await this.#gateFor(url.url, rules).hold(askedMs)
    if (askedMs > longestWaitMs) return false
    if (this.#climb.failed(this.#rung(url), failure) !== 'give_up') {
      this.#ready.push(url)
      return true
    }
    const tries = (this.#tries.get(url.id) ?? 0) + 1
    if (!passing.has(failure.kind) || tries >= triesPerRun) return false
    this.#tries.set(url.id, tries)
    this.#ready.push(url)
    return true
  }

  /** A challenge, or a shell without content: true when a stronger tier takes another look. */
  #rejected(url: ClaimedUrl, result: FetchedResponse, parsed: ParsedPage): boolean {
    if (parsed.blocked === null && !parsed.needsBrowser) return false
    const why = parsed.blocked === null ? 'needs_browser' : 'blocked'
    const next = this.#climb.rejected(this.#rung(url), result.tier, why)
    if (next === 'give_up') return false
    this.#ready.push(url)
    return true
  }

  /** What worked is kept with the source at once, for whoever crawls it next. */
  async #learn(url: ClaimedUrl, tier: TierName): Promise<void> {
    this.#circuits.record(hostKey(url.url) ?? '', null)
    const memory = this.#climb.succeeded(this.#rung(url), tier)
    if (memory === null) return
    this.#context.log('info', 'fetch', `${this.#target.name} is fetched by ${memory.tier} now`, {
      tier: memory.tier,
    })
    if (this.#target.frontierId === this.#run.id) return
    await rememberTier(this.#deps.sql, this.#target.frontierId, memory, this.#deps.clock.now())
  }

  #rung(url: ClaimedUrl): LadderUrl {
    return { id: url.id, kind: url.kind, isStart: url.depth === 0 && url.kind === 'listing' }
  }

  #unreachable(url: ClaimedUrl, kind: FailureKind): void {
    this.#fail(url, noAnswer(url, kind, 'the host did not answer for its robots.txt'), kind)
  }

  #count(url: ClaimedUrl, bytes: number, unchanged: boolean, hash: string): void {
    if (unchanged) this.#counters.unchanged++
    else this.#counters.fetched++
    this.#counters.bytes += bytes
    if (url.url === this.#target.startUrl || url.depth === 0) this.#startHash ??= hash
  }

  #fail(url: ClaimedUrl, failure: FailedFetch, reason: FailureKind | 'unparsable'): void {
    const { detail } = failure
    this.#counters.failed++
    this.#circuits.record(hostKey(url.url) ?? '', reason, detail)
    if (url.depth === 0 && url.kind === 'listing') this.#startFailure = `${reason}: ${detail}`
    this.#context.log('info', 'fetch', `${url.url} ${reason}`, { reason, detail })
    const judged = judgeFailure(url, failure, reason, this.#deps.clock.now())
    this.#done.push({ judged, discovery: null, parsed: null })
  }

  /** The circuit of a host is open: its URLs wait, and without its own host a run has nothing to do. */
  #wait(url: ClaimedUrl, until: Date): void {
    this.#counters.refused++
    this.#done.push({ judged: postponed(url, until), discovery: null, parsed: null })
    if (hostKey(url.url) === hostKey(this.#target.startUrl)) this.#closedUntil = until
  }

  #refuse(url: ClaimedUrl, reason: 'robots'): void {
    this.#counters.refused++
    this.#context.log('info', 'robots', `${url.url} is refused by robots.txt`, { reason })
    this.#done.push({ judged: refusedUrl(url, reason), discovery: null, parsed: null })
  }

  async #rulesFor(url: string): Promise<HostRules> {
    return this.#deps.respectRobots ? this.#deps.robots.rulesFor(url) : freeForAll
  }

  #gateFor(url: string, rules: HostRules): HostGate {
    const key = hostKey(url) ?? ''
    let gate = this.#gates.get(key)
    if (gate === undefined) {
      const delayMs = politeDelayMs({
        crawlDelayMs: rules.crawlDelayMs,
        rateLimit: this.#target.rateLimit,
        floorMs: this.#deps.floorMs,
      })
      gate = createGate(this.#deps.sql, key, delayMs)
      this.#gates.set(key, gate)
    }
    return gate
  }

  #startFlush(): void {
    if (this.#flushing !== null || this.#done.length === 0) return
    this.#flushing = this.#flush()
      .catch((error: unknown) => {
        this.#failure ??= error
      })
      .finally(() => (this.#flushing = null))
  }

  async #flush(): Promise<void> {
    const batch = this.#done.splice(0)
    this.#lastFlush = performance.now()
    if (batch.length === 0) return
    const { urlsNew, items } = await commitBatch(
      this.#deps,
      this.#run,
      this.#context,
      this.#target,
      batch,
    )
    for (const outcome of batch) this.#inHand.delete(outcome.judged.url.id)
    for (const host of await this.#circuits.save())
      this.#context.log('warn', 'breaker', `the circuit of ${host} opened`, { host })
    this.#counters.urls_new += urlsNew
    this.#counters.items += items
    await this.#report()
  }

  async #report(): Promise<void> {
    const due = await countDue(this.#deps.sql, this.#target.frontierId, this.#deps.clock.now())
    const handled =
      this.#counters.fetched +
      this.#counters.unchanged +
      this.#counters.failed +
      this.#counters.refused
    const total = Math.min(handled + due, this.#target.maxPages)
    const percent = total === 0 ? 100 : Math.min(99, Math.floor((100 * handled) / total))
    this.#context.progress({ percent, phase: 'crawling', counters: { ...this.#counters } })
  }

  #result(): RunResult {
    const { fetched, unchanged, items, urls_new } = this.#counters
    if (this.#closedUntil !== null)
      throw new Error(`breaker_open: the host rests until ${this.#closedUntil.toISOString()}`)
    if (fetched + unchanged === 0 && this.#startFailure !== null)
      throw new Error(`the start page failed: ${this.#startFailure}`)
    return {
      itemsCrawled: fetched + unchanged,
      itemsIndexed: items,
      itemsSeen: fetched + unchanged,
      itemsNew: Math.min(urls_new, fetched),
      counters: { ...this.#counters },
      ...(this.#startHash !== null && { contentHash: this.#startHash }),
    }
  }
}

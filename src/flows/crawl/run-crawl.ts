import { setMaxListeners } from 'node:events'
import { Permanent, messageOf } from '../../kernel/errors.ts'
import { hostKey } from '../../kernel/url.ts'
import { createCookieStore } from '../../crawl/fetch/cookies.ts'
import { releaseUrls } from '../../crawl/frontier/store.ts'
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
import type { HostRules } from '../../crawl/politeness/robots-cache.ts'
import type { Execute, RunContext } from '../../runs/desk.ts'
import type { ClaimedRun, RunResult } from '../../runs/types.ts'
import type { ParsedPage } from '../parse/parse-page.ts'
import { Unparsable } from '../parse/unparsable.ts'
import { tryUsualPlaces } from '../alternative-paths.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import type { PageOutcome } from './commit-batches.ts'
import type { CrawlReason } from '../../crawl/reasons.ts'
import { createDueUrls, type DueUrls } from './due-urls.ts'
import { discover } from './found-urls.ts'
import { createHandedOver } from './handed-over.ts'
import { createHostCircuits, type HostCircuits } from './host-circuits.ts'
import { readResponse } from './read-response.ts'
import { refusalOf } from './readmit.ts'
import { seedFrontier } from './seed-frontier.ts'
import { createSharedCommits, type SharedCommits } from './shared-commits.ts'
import { staleCopy } from './stale-copy.ts'
import { createReporter, createTally, resultOf } from './tally.ts'
import { createTurnstiles, type Turnstiles } from './turnstiles.ts'
import { loadTarget, type CrawlTarget } from './target.ts'
import { createUnwritten, flushMs, type Unwritten } from './unwritten.ts'
import {
  asFailure,
  judgeFailure,
  judgeSuccess,
  postponed,
  refusedUrl,
  withCopy,
  withoutRobots,
} from './url-result.ts'

const defaultHoldMs = 60_000
/** Failures that often pass by themselves are tried again within the run. */
const passing = new Set<string>(['http_5xx'])
const triesPerRun = 3
/** A longer pause than this is for the next run. */
const longestWaitMs = 60_000

/** One run: take due URLs, fetch them politely, read them in threads, commit in batches, until nothing is due. */
export function createCrawl(deps: CrawlDeps): Execute {
  const commits = createSharedCommits(deps)
  return async (run, context) => {
    const target = await loadTarget(deps.sql, run, { maxPages: deps.maxPages })
    if (target === null) throw new Permanent('the source is gone')
    const crawl = new Crawl(deps, commits, run, context, target)
    return crawl.run()
  }
}

/** The state of one run; it lives as long as the run. */
class Crawl {
  readonly #deps: CrawlDeps
  readonly #commits: SharedCommits
  readonly #run: ClaimedRun
  readonly #context: RunContext
  readonly #target: CrawlTarget
  readonly #hosts: Turnstiles
  /** Of the run, or of the time it was given. */
  readonly #signal: AbortSignal
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #due: DueUrls
  readonly #tries = new Map<string, number>()
  readonly #cookies = createCookieStore()
  readonly #climb: Climb
  readonly #circuits: HostCircuits
  #closedUntil: Date | null = null
  #guessed = false
  readonly #unwritten: Unwritten
  #started = 0
  #failure: unknown = null
  #startFailure: string | null = null
  #startHash: string | null = null
  readonly #tally = createTally()
  readonly #known = createHandedOver()
  readonly #report: () => Promise<void>
  /** Something ended since the loop last looked. */
  #stirred = false
  #wake: () => void = () => {}

  constructor(
    deps: CrawlDeps,
    commits: SharedCommits,
    run: ClaimedRun,
    context: RunContext,
    target: CrawlTarget,
  ) {
    this.#deps = deps
    this.#commits = commits
    this.#run = run
    this.#context = context
    this.#target = target
    this.#climb = deps.ladder(target)
    this.#circuits = createHostCircuits(deps)
    this.#hosts = createTurnstiles(deps, target)
    this.#due = createDueUrls(deps, run, target)
    const { maxDurationMs } = target
    this.#signal =
      maxDurationMs === null
        ? context.signal
        : AbortSignal.any([context.signal, AbortSignal.timeout(maxDurationMs)])
    this.#report = createReporter(deps, target, context, this.#tally)
    this.#unwritten = createUnwritten(
      (batch) => this.#write(batch),
      (error) => (this.#failure ??= error),
    )
  }

  async run(): Promise<RunResult> {
    const signal = this.#signal
    // Every fetch listens to it.
    setMaxListeners(0, signal)
    const rules = await this.#hosts.rulesFor(this.#target.startUrl)
    await seedFrontier(this.#deps, this.#run, this.#target, rules)
    while (!signal.aborted && this.#failure === null) {
      await this.#fill()
      if (this.#inFlight.size === 0 && this.#due.ready.length === 0) {
        await this.#unwritten.written()
        if (!(await this.#fill()) && !((await this.#guess(rules)) && (await this.#fill()))) break
      }
      if (this.#inFlight.size > 0) await this.#pause()
      this.#unwritten.writeInTime(this.#inFlight.size)
    }
    await Promise.allSettled(this.#inFlight.values())
    await this.#due.settled()
    await this.#unwritten.settled()
    if (this.#failure !== null)
      throw this.#failure instanceof Error ? this.#failure : new Error(messageOf(this.#failure))
    this.#context.signal.throwIfAborted()
    await this.#unwritten.written()
    // Out of time: what was not fetched is for the next run.
    await releaseUrls(this.#deps.sql, this.#run.id, [...this.#due.inHand])
    return this.#result()
  }

  /** Nothing is due any more: have a look where sites usually keep what was not found. */
  async #guess(rules: HostRules): Promise<boolean> {
    if (this.#guessed || this.#closedUntil !== null || this.#signal.aborted) return false
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
      for (const url of this.#due.ready.splice(0)) this.#wait(url, this.#closedUntil)
    if (room <= 0 || budget <= 0 || this.#closedUntil !== null) return this.#inFlight.size > 0
    // A run with slow fetches under way looks up every answer: it asks the database only when that may have more.
    if (this.#due.ready.length === 0 && (this.#due.mayHaveMore() || this.#inFlight.size === 0))
      await this.#due.claim(budget)
    for (const url of this.#due.ready.splice(0, Math.min(room, budget))) {
      this.#started++
      const work = this.#visit(url)
        .catch((error: unknown) => {
          this.#failure ??= error
        })
        .finally(() => {
          this.#inFlight.delete(url.id)
          this.#circuits.settled(hostKey(url.url) ?? '')
          this.#stirred = true
          this.#wake()
        })
      this.#inFlight.set(url.id, work)
    }
    this.#due.claimAhead(this.#target.maxPages - this.#started)
    return this.#inFlight.size > 0
  }

  async #visit(url: ClaimedUrl, signal = this.#signal): Promise<void> {
    const closedUntil = await this.#circuits.closedUntil(hostKey(url.url) ?? '')
    if (closedUntil !== null) return this.#wait(url, closedUntil)
    const rules = await this.#hosts.rulesFor(url.url)
    if (rules.unreachable !== null) return this.#unreachable(url, rules.unreachable)
    const refusal = refusalOf(url, this.#target.scope, rules, this.#deps.clock.now())
    if (refusal !== null) return this.#refuse(url, refusal)
    const slot = await this.#hosts.gateFor(url.url, rules).pass(signal)
    if (slot === null) return
    const result = await this.#climb.fetch(this.#rung(url), {
      url: url.url,
      etag: url.etag,
      lastModified: url.lastModified,
      signal,
      slot,
      cookies: this.#cookies,
      beforeHop: (hop) => this.#hosts.passHop(hop, signal),
      alsoAsked: (asked) => this.#hosts.charge(asked),
    })
    if (!result.ok && result.kind === 'stopped') return
    await this.#digest(url, result, rules)
  }

  async #digest(url: ClaimedUrl, result: FetchResult, rules: HostRules): Promise<void> {
    const now = this.#deps.clock.now()
    if (!result.ok) {
      if (await this.#tryAgain(url, result, rules)) return
      return this.#fail(url, result, result.kind)
    }
    if (result.notModified) {
      await this.#learn(url, result.tier)
      this.#tally.unchanged++
      const judged = judgeSuccess(url, result, null, now)
      this.#unwritten.add({ judged, discovery: null, parsed: null })
      return
    }
    try {
      const parsed = await readResponse(this.#deps, this.#target, {
        url: result.finalUrl,
        kind: url.kind,
        body: result.body,
        headers: result.headers,
        knownHash: url.contentHash,
        fetchedAt: now,
      })
      if (this.#rejected(url, result, parsed)) return
      if (parsed.blocked !== null)
        return this.#fail(url, asFailure(result, 'blocked', parsed.blocked), 'blocked')
      if (!parsed.unchanged && !parsed.kept) await this.#deps.archive?.put(parsed.hash, result.body)
      await this.#learn(url, result.tier)
      this.#count(url, result.body.length, parsed.unchanged, parsed.hash)
      this.#unwritten.add({
        judged: judgeSuccess(url, result, parsed, now),
        discovery: parsed.unchanged
          ? null
          : discover(url, parsed, this.#target, rules, this.#known),
        parsed,
      })
    } catch (error) {
      if (!(error instanceof Unparsable)) throw error
      await this.#fail(url, asFailure(result, 'bad_response', error.message), 'unparsable')
    }
  }

  /** Puts a URL back for another try in this run, after whatever pause the host asked for. */
  async #tryAgain(url: ClaimedUrl, failure: FailedFetch, rules: HostRules): Promise<boolean> {
    const askedMs = failure.retryAfterMs ?? (failure.kind === 'rate_limited' ? defaultHoldMs : 0)
    if (askedMs > 0) await this.#hosts.gateFor(url.url, rules).hold(askedMs)
    if (askedMs > longestWaitMs) return false
    if (this.#climb.failed(this.#rung(url), failure) !== 'give_up') return this.#again(url)
    const tries = (this.#tries.get(url.id) ?? 0) + 1
    if (!passing.has(failure.kind) || tries >= triesPerRun) return false
    this.#tries.set(url.id, tries)
    return this.#again(url)
  }

  /** Another try is no other page: it is not counted against what the run may fetch. */
  #again(url: ClaimedUrl): true {
    this.#started--
    this.#due.ready.push(url)
    return true
  }

  /** A challenge, or a shell without content: true when a stronger tier takes another look. */
  #rejected(url: ClaimedUrl, result: FetchedResponse, parsed: ParsedPage): boolean {
    if (parsed.blocked === null && !parsed.needsBrowser) return false
    const why = parsed.blocked === null ? 'needs_browser' : 'blocked'
    const next = this.#climb.rejected(this.#rung(url), result.tier, why)
    return next === 'give_up' ? false : this.#again(url)
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

  #unreachable(url: ClaimedUrl, kind: FailureKind): Promise<void> {
    return this.#fail(url, withoutRobots(url, kind), kind)
  }

  #count(url: ClaimedUrl, bytes: number, unchanged: boolean, hash: string): void {
    if (unchanged) this.#tally.unchanged++
    else this.#tally.fetched++
    this.#tally.bytes += bytes
    if (url.url === this.#target.startUrl || url.depth === 0) this.#startHash ??= hash
  }

  async #fail(
    url: ClaimedUrl,
    failure: FailedFetch,
    reason: FailureKind | 'unparsable',
  ): Promise<void> {
    const { detail } = failure
    const guess = url.origin === 'alternative' && (reason === 'gone' || reason === 'http_4xx')
    this.#tally[guess ? 'guesses_missed' : 'failed']++
    this.#circuits.record(hostKey(url.url) ?? '', reason, detail)
    this.#context.log(guess ? 'debug' : 'info', 'fetch', `${url.url} ${reason}`, { reason, detail })
    const judged = judgeFailure(url, failure, reason, this.#deps.clock.now())
    const copy = await staleCopy(this.#deps, this.#target, url, reason)
    if (copy === null) {
      if (url.depth === 0 && url.kind === 'listing') this.#startFailure = `${reason}: ${detail}`
      this.#unwritten.add({ judged, discovery: null, parsed: null })
      return
    }
    const { parsed, fetchedAt } = copy
    this.#tally.stale++
    this.#context.log(
      'warn',
      'fetch',
      `${url.url} is read from the copy of ${fetchedAt.toISOString()}`,
      { reason },
    )
    const rules = await this.#hosts.rulesFor(url.url)
    const discovery = discover(url, parsed, this.#target, rules, this.#known)
    this.#unwritten.add({ judged: withCopy(judged, copy), discovery, parsed })
  }

  /** The circuit of a host is open: its URLs wait, and without its own host a run has nothing to do. */
  #wait(url: ClaimedUrl, until: Date): void {
    this.#tally.refused++
    this.#unwritten.add({ judged: postponed(url, until), discovery: null, parsed: null })
    if (hostKey(url.url) === hostKey(this.#target.startUrl)) this.#closedUntil = until
  }

  #refuse(url: ClaimedUrl, reason: CrawlReason): void {
    this.#tally.refused++
    this.#context.log('info', 'scope', `${url.url} is not fetched: ${reason}`, { reason })
    this.#unwritten.add({ judged: refusedUrl(url, reason), discovery: null, parsed: null })
  }

  async #write(batch: readonly PageOutcome[]): Promise<void> {
    const { urlsNew, items } = await this.#commits.commit({
      run: this.#run,
      target: this.#target,
      outcomes: batch,
    })
    for (const { judged, discovery } of batch) {
      this.#due.inHand.delete(judged.url.id)
      this.#known.add(discovery?.urls ?? [])
    }
    for (const host of await this.#circuits.save())
      this.#context.log('warn', 'breaker', `the circuit of ${host} opened`, { host })
    if (urlsNew > 0) this.#due.added()
    this.#tally.urls_new += urlsNew
    this.#tally.items += items
    await this.#report()
  }

  #result(): RunResult {
    if (this.#closedUntil !== null)
      throw new Error(`breaker_open: the host rests until ${this.#closedUntil.toISOString()}`)
    if (this.#tally.fetched + this.#tally.unchanged === 0 && this.#startFailure !== null)
      throw new Error(`the start page failed: ${this.#startFailure}`)
    return resultOf(this.#tally, this.#startHash)
  }

  /** Until something ends or it is time to write. */
  async #pause(): Promise<void> {
    if (!this.#stirred)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, flushMs)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#stirred = false
  }
}

import PQueue from 'p-queue'
import type { Page, Request, Response } from 'playwright-core'
import { messageOf } from '../../kernel/errors.ts'
import { MissedSlot, useSlot } from '../politeness/slot.ts'
import type { BrowserHost, BrowserSession } from './browser-host.ts'
import { TooLarge, TotalTimeout } from './exchange.ts'
import { failureOf, retryAfterMs, statusFailure } from './failure.ts'
import type { Guard } from './guard.ts'
import { refusalHeader } from './guarded-proxy.ts'
import { waitForContent } from './settle.ts'
import type { FailedFetch, FailureKind, FetchRequest, FetchResult, FetchTier } from './types.ts'

export interface BrowserTierOptions {
  guard: Guard
  host: BrowserHost
  timeoutMs: number
  maxBytes: number
  /** Pages rendered at once. */
  pages: number
}

/** Pictures, fonts and films cost most of a page's bytes and carry none of its text. */
const unwanted = new Set(['image', 'font', 'media'])
/** How long scripts may take to draw after the document is there. */
const settleMs = 8000
/** A page that does not even close takes its browser with it. */
const closeMs = 3000

/** Pages that scripts draw: a real browser behind the guarded proxy. */
export function createBrowserTier(options: BrowserTierOptions): FetchTier {
  const turns = new PQueue({ concurrency: options.pages })
  return {
    name: 'browser',
    fetch: (request) => turns.add(() => render(request, options)),
    close: () => options.host.close(),
  }
}

async function render(
  request: FetchRequest,
  options: BrowserTierOptions,
  again = true,
): Promise<FetchResult> {
  const started = performance.now()
  const failed = (kind: FailureKind, detail: string, response?: Response): FailedFetch => ({
    ok: false,
    tier: 'browser',
    kind,
    detail,
    status: response?.status() ?? null,
    retryAfterMs: retryAfterMs(response?.headers()['retry-after'], Date.now()),
    url: request.url,
    finalUrl: response?.url() ?? request.url,
    redirects: response === undefined ? [] : hopsOf(response),
    durationMs: Math.round(performance.now() - started),
  })
  const refused = options.guard.refuses(request.url)
  if (refused !== null) return failed('private_address', refused)
  let session: BrowserSession | null = null
  try {
    session = await options.host.open(new URL(request.url).host, request.proxy ?? null)
    const visit = visitPage(session.page, request, options)
    const { response, body, url } = await bounded(visit, request, options)
    const failure = response === null ? 'bad_response' : statusFailure(response.status())
    if (response === null) return failed('bad_response', 'no document')
    const refusal = response.headers()[refusalHeader] as FailureKind | undefined
    if (refusal !== undefined) return failed(refusal, 'refused on the way')
    if (failure !== null) return failed(failure, `HTTP ${response.status()}`, response)
    const maxBytes = request.maxBytes ?? options.maxBytes
    if (body.length > maxBytes) throw new TooLarge(maxBytes)
    return {
      ok: true,
      tier: 'browser',
      status: response.status(),
      headers: headersOf(response),
      body,
      url: request.url,
      finalUrl: url,
      redirects: hopsOf(response),
      notModified: false,
      wireBytes: body.length,
      durationMs: Math.round(performance.now() - started),
    }
  } catch (error) {
    // The browser died under the page: that says nothing about the page, the first time.
    if (session !== null && !session.alive() && again && !request.signal?.aborted)
      return render(request, options, false)
    const { kind, detail } = browserFailure(error, request.signal?.aborted ?? false)
    return failed(kind, detail)
  } finally {
    await session?.release(closeMs)
  }
}

async function visitPage(
  page: Page,
  request: FetchRequest,
  options: BrowserTierOptions,
): Promise<{ response: Response | null; body: Buffer; url: string }> {
  const timeout = request.timeoutMs ?? options.timeoutMs
  await page.route('**/*', (route) => {
    const asked = route.request()
    const inside = /^https?:/.test(asked.url()) && options.guard.refuses(asked.url()) !== null
    if (inside || unwanted.has(asked.resourceType())) return route.abort()
    // The page itself has its slot; what it draws with is counted.
    if (!asked.isNavigationRequest()) request.alsoAsked?.(asked.url())
    return route.continue()
  })
  await addCookies(page, request)
  await takeSlot(request)
  const response = await page.goto(request.url, { waitUntil: 'domcontentloaded', timeout })
  if (response !== null && !/html/i.test(response.headers()['content-type'] ?? 'text/html'))
    return { response, body: await response.body(), url: response.url() }
  await waitForContent(page, settleMs)
  const body = Buffer.from(await page.content())
  await keepCookies(page, request)
  return { response, body, url: page.url() }
}

/** A browser takes its time to start: the slot may be over by now, and another is waited for. */
async function takeSlot(request: FetchRequest): Promise<void> {
  for (let slot = request.slot ?? null; ; slot = (await request.beforeHop?.(request.url)) ?? null) {
    request.signal?.throwIfAborted()
    try {
      return useSlot(slot)
    } catch (error) {
      if (!(error instanceof MissedSlot)) throw error
    }
  }
}

/** Scripts can keep a page busy for ever, so the time limit does not depend on its cooperation. */
async function bounded<T>(
  work: Promise<T>,
  request: FetchRequest,
  options: BrowserTierOptions,
): Promise<T> {
  const limitMs = (request.timeoutMs ?? options.timeoutMs) + settleMs + 2000
  let timer: NodeJS.Timeout | undefined
  let onAbort: (() => void) | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TotalTimeout(limitMs)), limitMs)
    onAbort = () => reject(new Error('stopped'))
    request.signal?.addEventListener('abort', onAbort, { once: true })
  })
  work.catch(() => {})
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
    if (onAbort !== undefined) request.signal?.removeEventListener('abort', onAbort)
  }
}

async function addCookies(page: Page, request: FetchRequest): Promise<void> {
  const header = (await request.cookies?.headerFor(request.url)) ?? ''
  const cookies = header.split('; ').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [{ name: pair.slice(0, at), value: pair.slice(at + 1), url: request.url }]
  })
  if (cookies.length > 0) await page.context().addCookies(cookies)
}

/** Cookies a challenge gave us are worth as much to the cheaper tiers. */
async function keepCookies(page: Page, request: FetchRequest): Promise<void> {
  const cookies = await page.context().cookies(request.url)
  await request.cookies?.keep(
    request.url,
    cookies.map(({ name, value, path }) => `${name}=${value}; Path=${path}`),
  )
}

/** Without validators: what scripts drew is not what they vouch for. */
function headersOf(response: Response): Record<string, string> {
  const { etag: _etag, 'last-modified': _modified, ...headers } = response.headers()
  if (/html/i.test(headers['content-type'] ?? 'text/html'))
    headers['content-type'] = 'text/html; charset=utf-8'
  return headers
}

function hopsOf(response: Response): { from: string; to: string; status: number }[] {
  const hops: { from: string; to: string; status: number }[] = []
  for (let to: Request = response.request(); ;) {
    const from = to.redirectedFrom()
    if (from === null) return hops
    hops.unshift({ from: from.url(), to: to.url(), status: 302 })
    to = from
  }
}

function browserFailure(error: unknown, aborted: boolean): { kind: FailureKind; detail: string } {
  const known = failureOf(error, aborted)
  if (known.kind !== 'bad_response') return known
  const detail = messageOf(error).split('\n')[0] ?? ''
  const kind = netErrors.find(([pattern]) => pattern.test(detail))?.[1]
  return { kind: kind ?? 'bad_response', detail }
}

const netErrors: [RegExp, FailureKind][] = [
  [/Timeout \d+ms exceeded|ERR_TIMED_OUT/, 'timeout'],
  [/ERR_TOO_MANY_REDIRECTS/, 'too_many_redirects'],
  [/ERR_NAME_NOT_RESOLVED/, 'dns'],
  [/ERR_CERT|ERR_SSL/, 'tls'],
  [/ERR_FAILED|ERR_BLOCKED/, 'private_address'],
  [/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_TUNNEL|ERR_PROXY|ERR_NETWORK/, 'refused'],
]

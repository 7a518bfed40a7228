import { existsSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Relays } from './relays.ts'

/** The one browser of this process: started when needed, replaced when it dies or grows old. */
export interface BrowserHost {
  /** A page in the context that belongs to this site. */
  open(site: string, proxy: string | null): Promise<BrowserSession>
  close(): Promise<void>
}

export interface BrowserSession {
  page: Page
  alive(): boolean
  /** Closes the page; a browser that does not manage that in time is ended. */
  release(withinMs: number): Promise<void>
}

export interface BrowserHostOptions {
  executablePath: string
  relays: Relays
  locale?: string
  /** Pages before a browser is replaced: memory that leaks is given back. */
  pagesPerBrowser?: number
  idleMs?: number
}

const mostContexts = 8
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Where a Chromium is, or null: then nothing is rendered. */
export function findChromium(configured: string | null = null): string | null {
  return [...(configured === null ? [] : [configured]), ...usualPlaces].find(existsSync) ?? null
}

interface Running {
  browser: Browser
  contexts: Map<string, Promise<BrowserContext>>
  opened: number
  active: number
  retired: boolean
}

export function createBrowserHost(options: BrowserHostOptions): BrowserHost {
  const { pagesPerBrowser = 200, idleMs = 60_000 } = options
  let current: Promise<Running> | null = null
  let idle: NodeJS.Timeout | undefined

  const start = async (): Promise<Running> => {
    const browser = await launch(options, await options.relays.urlFor(null))
    const running: Running = {
      browser,
      contexts: new Map(),
      opened: 0,
      active: 0,
      retired: false,
    }
    browser.on('disconnected', () => retire(running))
    return running
  }
  const retire = (running: Running): void => {
    running.retired = true
    void current?.then((now) => {
      if (now === running) current = null
    })
    if (running.active === 0) void running.browser.close()
  }
  const take = async (): Promise<Running> => {
    clearTimeout(idle)
    current ??= start()
    let running: Running
    try {
      running = await current
    } catch (error) {
      current = null
      throw error
    }
    if (running.retired || !running.browser.isConnected()) {
      current = null
      return take()
    }
    running.active++
    if (++running.opened >= pagesPerBrowser) retire(running)
    return running
  }
  const give = (running: Running): void => {
    running.active--
    if (running.active > 0) return
    if (running.retired) void running.browser.close()
    else idle = setTimeout(() => retire(running), idleMs).unref()
  }

  return {
    open: async (site, proxy) => {
      const running = await take()
      try {
        const context = await contextFor(running, site, proxy, options)
        const page = await context.newPage()
        return {
          page,
          alive: () => running.browser.isConnected() && !page.isClosed(),
          release: async (withinMs) => {
            const closed = await within(withinMs, page.close())
            // A page that cannot be closed holds a processor: end its whole browser.
            if (!closed) {
              retire(running)
              void running.browser.close()
            }
            give(running)
          },
        }
      } catch (error) {
        give(running)
        throw error
      }
    },
    close: async () => {
      clearTimeout(idle)
      const running = await current?.catch(() => null)
      current = null
      if (running) await within(5000, running.browser.close())
    },
  }
}

async function launch(options: BrowserHostOptions, relay: string): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  const asRoot = process.getuid?.() === 0
  return chromium.launch({
    executablePath: options.executablePath,
    // Its sandbox does not work for root.
    chromiumSandbox: !asRoot,
    proxy: { server: relay, bypass: '<-loopback>' },
    args: [
      '--disable-quic',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--dns-prefetch-disable',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      // Media connections would go past the proxy.
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    ],
  })
}

/** One context per site and proxy: its cookies stay with it, and the next page of the site starts warm. */
function contextFor(
  running: Running,
  site: string,
  proxy: string | null,
  options: BrowserHostOptions,
): Promise<BrowserContext> {
  const key = `${proxy ?? ''} ${site}`
  const known = running.contexts.get(key)
  if (known !== undefined) return known
  const made = newContext(running.browser, proxy, options)
  running.contexts.set(key, made)
  made.catch(() => running.contexts.delete(key))
  const [oldest] = running.contexts.keys()
  if (running.contexts.size > mostContexts && oldest !== undefined) {
    const old = running.contexts.get(oldest)
    running.contexts.delete(oldest)
    void old?.then((context) => closeWhenEmpty(context))
  }
  return made
}

async function newContext(
  browser: Browser,
  proxy: string | null,
  options: BrowserHostOptions,
): Promise<BrowserContext> {
  const version = browser.version().split('.')[0] ?? '140'
  return browser.newContext({
    locale: options.locale ?? 'nl-NL',
    // Like the browser with a window: some sites serve nothing to one without.
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
    viewport: { width: 1280, height: 1600 },
    acceptDownloads: false,
    serviceWorkers: 'block',
    ...(proxy !== null && {
      proxy: { server: await options.relays.urlFor(proxy), bypass: '<-loopback>' },
    }),
  })
}

async function closeWhenEmpty(context: BrowserContext): Promise<void> {
  const close = (): void => {
    if (context.pages().length === 0) void context.close().catch(() => {})
    else context.pages()[0]?.once('close', close)
  }
  close()
}

async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const done = work.then(
    () => true,
    () => true,
  )
  const result = await Promise.race([done, late])
  clearTimeout(timer)
  return result
}

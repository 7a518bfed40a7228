// `npm run bench:dashboard`: what an operator with 10,000 sources waits for, in a real Chromium against a real server.
import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { buildDashboard, openBrowser } from '../../test/dashboard/browser.ts'
import { startMillrace, temporaryFolder } from '../../test/harness/millrace.ts'

const sources = Number(process.argv[2] ?? 10_000)
const loads = 5
const limits = { gzipKb: 350, healthMs: 1000, frameMs: 1000 / 60 }
const portion = 5000

/** As text: the compiler's helpers do not exist in the page. */
const watchFrames = `new Promise((resolve) => {
  const gaps = []
  let last = 0
  const step = (at) => {
    if (last > 0) gaps.push(at - last)
    last = at
    window.scrollBy(0, 180)
    if (gaps.length < 300) requestAnimationFrame(step)
    else resolve(gaps)
  }
  requestAnimationFrame(step)
})`

buildDashboard()
const folder = temporaryFolder()
// Without scheduler and workers: the page is measured, not the crawl.
const env = { MILLRACE_DATA_DIR: folder.path, MILLRACE_DEMO_PORT: '0', MILLRACE_ROLES: 'api' }
const [millrace, browser] = await Promise.all([startMillrace(env), openBrowser()])
try {
  const page = await browser.newPage({
    baseURL: millrace.url,
    viewport: { width: 1440, height: 900 },
  })
  await page.goto(`/login?token=${millrace.loginToken}`)
  await page.getByRole('heading', { name: 'No sources yet' }).waitFor({ timeout: 60_000 })
  await addSources(page)
  const gzipKb = await firstPageKb(page)
  const healthMs = []
  for (let load = 0; load < loads; load++) healthMs.push(await healthVisibleMs(page))
  const scroll = await scrollFrames(page)
  const health = median(healthMs)
  // Shares of what is allowed: below one is within it. Frames are a share of what a screen can show.
  const ratios = {
    first_page_of_limit: share(gzipKb, limits.gzipKb),
    health_of_limit: share(health, limits.healthMs),
    frames_of_screen: share(scroll.scroll_frames_per_second, 1000 / limits.frameMs),
  }
  const figures = { sources, first_page_gzip_kb: gzipKb, health_visible_ms: health, ...scroll }
  console.log(JSON.stringify({ bench: 'dashboard', ratios, figures }))
} finally {
  await browser.close()
  await millrace.stop()
  folder.remove()
}

function share(value: number, of: number): number {
  return Math.round((value / of) * 100) / 100
}

async function addSources(page: Page): Promise<void> {
  for (let from = 0; from < sources; from += portion) {
    const length = Math.min(portion, sources - from)
    const rows = Array.from(
      { length },
      (_, n) => `Source ${from + n},https://s${from + n}.example.org/`,
    )
    const answer = await page.request.post('/api/v1/sources/import?preview=false', {
      headers: { 'content-type': 'text/csv' },
      data: ['name,url', ...rows].join('\n'),
      timeout: 120_000,
    })
    if (!answer.ok()) throw new Error(await answer.text())
  }
}

/** Everything the first page loads, compressed as a server in front of it would. */
async function firstPageKb(page: Page): Promise<number> {
  const files: Promise<number>[] = []
  const count = (response: Response): void => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/api') || response.status() !== 200) return
    files.push(response.body().then((body) => gzipSync(body).length))
  }
  page.on('response', count)
  await page.goto('/', { waitUntil: 'networkidle' })
  page.off('response', count)
  const sizes = await Promise.all(files)
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 102.4) / 10
}

/** From asking for the page until the tiles show the number of sources. */
async function healthVisibleMs(page: Page): Promise<number> {
  const started = performance.now()
  await page.goto('/', { waitUntil: 'commit' })
  const total = new Intl.NumberFormat('en-GB').format(sources)
  await page.getByRole('button', { name: `${total} sources` }).waitFor()
  return Math.round(performance.now() - started)
}

/** Scrolls through all rows and looks at the distance between frames. */
async function scrollFrames(page: Page) {
  await page.getByRole('table', { name: 'Sources' }).getByRole('row').nth(5).waitFor()
  const gaps = await page.evaluate<number[]>(watchFrames)
  const late = gaps.filter((gap) => gap > limits.frameMs * 1.5).length
  return {
    scroll_frames: gaps.length,
    scroll_frames_per_second: Math.round(1000 / (gaps.reduce((a, b) => a + b, 0) / gaps.length)),
    scroll_frame_median_ms: Number(median(gaps).toFixed(1)),
    scroll_late_share: Number((late / gaps.length).toFixed(3)),
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

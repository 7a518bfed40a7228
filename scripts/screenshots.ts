// `npm run screenshots`: starts Millrace with the demo, lets it crawl, and takes a picture of every page for the docs.
import { mkdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { packagePath } from '../src/kernel/package-root.ts'
import { buildDashboard, openBrowser } from '../test/dashboard/browser.ts'
import { startMillrace, temporaryFolder } from '../test/harness/millrace.ts'
import { waitFor } from '../test/harness/wait.ts'
import { fillTheDemo } from './screenshot-data.ts'

const screens = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
}
interface Picture {
  name: string
  path: string
  /** Taken only when the server answers this path. */
  needs?: string
  open?: (page: Page) => Promise<void>
}
const pictures: Picture[] = [
  { name: 'sources', path: '/' },
  { name: 'source', path: '/', open: openFirstSource },
  { name: 'pipeline', path: '/pipeline', needs: '/api/v1/funnel' },
  { name: 'drops', path: '/pipeline', open: openFirstDrop },
  { name: 'alerts', path: '/alerts?view=open' },
  { name: 'discovery', path: '/discovery' },
  { name: 'candidate', path: '/discovery', open: openFirstCandidate },
  { name: 'runs', path: '/runs' },
  { name: 'schedule', path: '/schedule' },
  { name: 'items', path: '/items', needs: '/api/v1/articles' },
  { name: 'item', path: '/items', open: openStory },
  { name: 'calendar', path: '/calendar', needs: '/api/v1/calendar' },
  { name: 'agenda', path: '/agenda', needs: '/api/v1/calendar' },
  { name: 'frontier', path: '/frontier', needs: '/api/v1/frontier' },
  { name: 'dead-letters', path: '/dead-letters', needs: '/api/v1/dead-letters' },
  { name: 'breakers', path: '/breakers', needs: '/api/v1/breakers' },
  { name: 'event-log', path: '/event-log' },
  { name: 'routes', path: '/routes', needs: '/api/v1/routes' },
  { name: 'route', path: '/routes', open: openFirstRoute },
  { name: 'topic-rules', path: '/routes?view=rules' },
  { name: 'channels', path: '/routes?view=channels' },
  { name: 'deliveries', path: '/deliveries', needs: '/api/v1/deliveries' },
  { name: 'api-keys', path: '/api-keys' },
  { name: 'users', path: '/users' },
  { name: 'system', path: '/system' },
]

const target = packagePath('docs', 'screenshots')
mkdirSync(target, { recursive: true })
buildDashboard()
const folder = temporaryFolder()
const env = { MILLRACE_DATA_DIR: folder.path, MILLRACE_DEMO_PORT: '0' }
const [millrace, browser] = await Promise.all([startMillrace(env), openBrowser()])
try {
  const cookies = await logIn(millrace.url, millrace.loginToken)
  await fillTheDemo(millrace.url, cookies, folder.path)
  for (const [screen, viewport] of Object.entries(screens)) {
    for (const theme of ['light', 'dark'] as const) {
      await takeAll(browser, millrace.url, cookies, { screen, viewport, theme })
    }
  }
} finally {
  await browser.close()
  await millrace.stop()
  folder.remove()
}

async function takeAll(
  from: Browser,
  url: string,
  cookie: string,
  look: { screen: string; viewport: { width: number; height: number }; theme: 'light' | 'dark' },
): Promise<void> {
  const context = await from.newContext({
    baseURL: url,
    viewport: look.viewport,
    colorScheme: look.theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Amsterdam',
  })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  const description = (await (await fetch(`${url}/api/openapi.json`)).json()) as { paths: object }
  for (const { name: picture, path, needs, open } of pictures) {
    if (needs !== undefined && !(needs in description.paths)) continue
    await page.goto(path)
    await settled(page)
    await open?.(page)
    await page.screenshot({ path: `${target}/${picture}-${look.screen}-${look.theme}.png` })
  }
  await context.close()
}

async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await waitFor('the page to have loaded', async () => {
    const loading = await page.locator('[aria-busy=true], .animate-pulse').count()
    return loading === 0
  })
}

async function openFirstSource(page: Page): Promise<void> {
  await page.getByRole('table').getByRole('row').nth(1).getByRole('button').first().click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Schedule' }).waitFor()
  await settled(page)
}

async function openFirstDrop(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: / stopped at / })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('listitem').first().waitFor()
}

async function openFirstCandidate(page: Page): Promise<void> {
  await page.getByRole('table').getByRole('row').nth(1).getByRole('button').first().click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Why' }).waitFor()
}

/** An article that several sources tell. */
async function openStory(page: Page): Promise<void> {
  await page.getByRole('row').filter({ hasText: 'told by' }).first().getByRole('button').click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Facts' }).waitFor()
  await settled(page)
}

async function openFirstRoute(page: Page): Promise<void> {
  await page.getByRole('table').getByText('Around Utrecht').click()
  await page
    .getByRole('dialog')
    .getByText(/^Takes /)
    .waitFor()
}

async function logIn(url: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/login-link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

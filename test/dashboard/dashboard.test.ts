import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMillrace, temporaryFolder, type MillraceProcess } from '../harness/millrace.ts'
import { waitFor } from '../harness/wait.ts'
import { seriousFindings } from './axe.ts'
import { buildDashboard, noBrowser, openBrowser } from './browser.ts'

const folder = temporaryFolder()
let millrace: MillraceProcess | null = null
let browser: Browser | null = null
let page: Page
const complaints: string[] = []

const without = noBrowser === null ? '' : `: skipped, ${noBrowser}`

// The story is one: each test goes on where the one before it left the page.
describe.skipIf(noBrowser !== null)(
  `the dashboard in a real browser${without}`,
  { timeout: 60_000 },
  () => {
    beforeAll(async () => {
      buildDashboard()
      const env = { MILLRACE_DATA_DIR: folder.path, MILLRACE_DEMO_PORT: '0' }
      ;[millrace, browser] = await Promise.all([startMillrace(env), openBrowser()])
      page = await browser.newPage({
        baseURL: millrace.url,
        viewport: { width: 1440, height: 1500 },
        locale: 'en-GB',
        colorScheme: 'light',
      })
      page.setDefaultTimeout(25_000)
      page.on('pageerror', (error) => complaints.push(error.message))
    }, 120_000)

    afterAll(async () => {
      await browser?.close()
      await millrace?.stop()
      folder.remove()
    })

    test('without a login every address leads to the login page', async () => {
      await page.goto('/schedule')
      await shown(page.getByRole('heading', { name: 'Log in' }))
      expect(new URL(page.url()).searchParams.get('next')).toBe('/schedule')
    })

    test('a wrong password is refused in words', async () => {
      await page.getByLabel('Email').fill('somebody@example.org')
      await page.getByLabel('Password').fill('not the password')
      await page.getByRole('button', { name: 'Log in' }).click()
      await shown(page.getByRole('alert').getByText('The email or the password is wrong.'))
    })

    test('the one-time link logs in, and an empty installation offers the demo', async () => {
      await page.goto(`/login?token=${millrace?.loginToken ?? ''}`)
      await shown(page.getByRole('heading', { name: 'No sources yet' }))
      await shown(page.getByRole('button', { name: 'Load the demo' }))
    })

    test('one click loads the demo: 25 sources appear', async () => {
      await page.getByRole('button', { name: 'Load the demo' }).click()
      await shown(sources().getByRole('row').nth(25))
      expect(await sources().getAttribute('aria-rowcount')).toBe('26')
      await shown(page.getByText('25 sources', { exact: true }))
    })

    test('a source opens beside the list and can be disabled with a reason', async () => {
      await row('De Merwebode').getByRole('button').first().click()
      const panel = page.getByRole('dialog', { name: 'De Merwebode' })
      await shown(panel.getByRole('heading', { name: 'Schedule' }))
      await panel.getByRole('button', { name: 'Disable' }).click()
      const question = page.getByRole('dialog', { name: 'Disable De Merwebode' })
      await question.getByLabel('Reason').fill('moves to a new address')
      await question.getByRole('button', { name: 'Disable' }).click()
      await shown(panel.getByText('moves to a new address').first())
      await panel.getByRole('button', { name: 'Close' }).click()
      await shown(row('De Merwebode').getByText('Disabled'))
    })

    test('everything that is selected is paused at once, with a result per row', async () => {
      await page.getByLabel('Select the rows in sight').check()
      const bar = page.getByRole('region', { name: 'Actions on the selection' })
      await shown(bar.getByText('25 selected'))
      await bar.getByRole('button', { name: 'Pause' }).click()
      await shown(bar.getByText(/^25 of 25 done/))
      await bar.getByRole('button', { name: 'Close' }).click()
      await waitFor(
        'every other source to be paused',
        async () => (await sources().getByText('Paused', { exact: true }).count()) === 24,
      )
    })

    test.each([
      '/',
      '/alerts',
      '/discovery',
      '/pipeline',
      '/runs',
      '/schedule',
      '/frontier',
      '/routes',
      '/deliveries',
      '/event-log',
      '/api-keys',
      '/users',
      '/system',
    ])('axe finds nothing serious on %s, light and dark', async (path) => {
      await page.goto(path)
      await shown(page.locator('main h1').first())
      // Not the login page in its place.
      await shown(page.getByRole('navigation', { name: 'Main' }))
      await page.locator('.animate-pulse').first().waitFor({ state: 'detached' })
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        expect(await seriousFindings(page)).toEqual([])
      }
    })

    test('the theme goes from the system to light to dark and stays after a reload', async () => {
      await page.goto('/')
      const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
      expect(await theme()).toBe('light')
      await page.getByRole('button', { name: 'Theme: as the system' }).click()
      await page.getByRole('button', { name: 'Theme: light' }).click()
      expect(await theme()).toBe('dark')
      await page.reload()
      expect(await theme()).toBe('dark')
      await page.getByRole('button', { name: 'Theme: dark' }).click()
      expect(await theme()).toBe('light')
    })

    test('logging out ends the session, and nothing went wrong on the way', async () => {
      await page.getByRole('button', { name: 'Log out' }).click()
      await shown(page.getByRole('heading', { name: 'Log in' }))
      await page.goto('/')
      await shown(page.getByRole('heading', { name: 'Log in' }))
      expect(complaints).toEqual([])
    })
  },
)

async function shown(what: Locator): Promise<void> {
  await what.waitFor({ state: 'visible' })
}

function sources(): Locator {
  return page.getByRole('table', { name: 'Sources' })
}

function row(name: string): Locator {
  return sources().getByRole('row').filter({ hasText: name })
}

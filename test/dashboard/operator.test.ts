import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMillrace, temporaryFolder, type MillraceProcess } from '../harness/millrace.ts'
import { waitFor } from '../harness/wait.ts'
import { seriousFindings } from './axe.ts'
import { buildDashboard, noBrowser, openBrowser } from './browser.ts'

const folder = temporaryFolder()
let millrace: MillraceProcess
let browser: Browser | null = null
let page: Page
let site: Server
let home = ''
const complaints: string[] = []
const env = {
  MILLRACE_DATA_DIR: folder.path,
  MILLRACE_DEMO_PORT: '0',
  CRAWLER_ALLOW_PRIVATE_NETWORKS: 'true',
  FETCHER_BROWSER_PAGES: '0',
}

const without = noBrowser === null ? '' : `: skipped, ${noBrowser}`

// What an operator comes for. The walks share one server and go on from each other.
describe.skipIf(noBrowser !== null)(`an operator at work${without}`, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    buildDashboard()
    site = createServer((request, response) => {
      const body = request.url === '/agenda' ? agenda : request.url === '/shed' ? shed : null
      response.writeHead(body === null ? 404 : 200, {
        'content-type': 'text/html; charset=utf-8',
      })
      response.end(body ?? 'not here')
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    home = `http://127.0.0.1:${(site.address() as AddressInfo).port}/agenda`
    ;[millrace, browser] = await Promise.all([startMillrace(env), openBrowser()])
    page = await browser.newPage({
      baseURL: millrace.url,
      viewport: { width: 1440, height: 1500 },
      locale: 'en-GB',
      colorScheme: 'light',
      reducedMotion: 'reduce',
    })
    page.setDefaultTimeout(45_000)
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`/login?token=${millrace.loginToken}`)
    await shown(page.getByRole('heading', { name: 'No sources yet' }))
  }, 180_000)

  afterAll(async () => {
    await browser?.close()
    await millrace.stop()
    site.close()
    folder.remove()
  })

  test('an address becomes a source after a look at what it holds', async () => {
    await page.getByRole('button', { name: 'Add source' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add a source' })
    await dialog.getByLabel('Address of a site, a feed or a calendar').fill(home)
    await dialog.getByRole('button', { name: 'Look at it' }).click()
    await shown(dialog.getByText('1 item', { exact: true }))
    await shown(dialog.getByText('Nachtconcert in de Loods').first())
    await shown(dialog.getByText('no rules, everything is allowed'))
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('De Loods')
    expect(await dialog.getByLabel('Kind').inputValue()).toBe('events')
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add source' }).click()
    const panel = page.getByRole('dialog', { name: 'De Loods' })
    await shown(panel.getByRole('heading', { name: 'Schedule' }))
    expect(await seriousFindings(page)).toEqual([])
    await panel.getByRole('button', { name: 'Close' }).click()
  })

  test('a failing source tells its cause and is repaired', async () => {
    const id = await create('Broken Bell', 'http://127.0.0.1:9/')
    await page.goto(`/?source=${id}`)
    const panel = page.getByRole('dialog', { name: 'Broken Bell' })
    // What a person adds is crawled at once.
    await shown(panel.getByText(/refused/i).first())
    await panel.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Broken Bell' })
    await form.getByLabel('Address', { exact: true }).fill(`${home}?bell`)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await call<{ url: string }>('GET', `/api/v1/sources/${id}`)).toMatchObject({
      url: `${home}?bell`,
    })
  })

  test('who saves second is told so, and chooses', async () => {
    const panel = page.getByRole('dialog', { name: 'Broken Bell' })
    await panel.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Broken Bell' })
    const id = new URL(page.url()).searchParams.get('source') ?? ''
    await call('PATCH', `/api/v1/sources/${id}`, { tags: ['theirs'] })
    await form.getByLabel('Depth').fill('2')
    await form.getByRole('button', { name: 'Save' }).click()
    await shown(form.getByText('Somebody else changed this source meanwhile'))
    expect(await seriousFindings(page)).toEqual([])
    await form.getByRole('button', { name: 'Load the current version' }).click()
    await waitFor(
      'their tags in the form',
      async () => (await form.getByLabel('Tags').inputValue()) === 'theirs',
    )
    await form.getByLabel('Depth').fill('2')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await call('GET', `/api/v1/sources/${id}`)).toMatchObject({
      tags: ['theirs'],
      max_depth: 2,
    })
  })

  test('a log is followed while its run is under way, narrowed, searched and taken along', async () => {
    const id = await create('The Shed', new URL('/shed', home).href, { rate_limit: 2 })
    const running = await waitFor(
      'its run to be under way',
      async () => {
        const { data } = await call<{ data: { id: string; status: string }[] }>(
          'GET',
          `/api/v1/sources/${id}/executions?status=running`,
        )
        return data[0]
      },
      { timeoutMs: 40_000 },
    )
    await page.goto(`/runs?run=${running.id}`)
    const run = page.getByRole('dialog', { name: 'The Shed' })
    const log = run.getByRole('log')
    await shown(run.getByText('Live', { exact: true }))
    const first = await lineCount(run)
    await waitFor('more lines while it is looked at', async () => (await lineCount(run)) > first, {
      timeoutMs: 40_000,
    })
    await run.getByLabel('Search the log').fill('shed/20')
    await shown(run.getByText(/^1 of \d+ lines$/))
    await shown(log.getByText('/shed/20').first())
    await shown(run.getByRole('list', { name: 'Fetches' }).getByText('/shed').first())
    await run.getByLabel('Search the log').fill('')
    await run.getByLabel('Level').selectOption('error')
    await shown(run.getByText(/^0 of \d+ lines$/))
    await run.getByLabel('Level').selectOption('debug')
    expect(await seriousFindings(page)).toEqual([])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      run.getByRole('link', { name: 'Download the log' }).click(),
    ])
    expect(readFileSync(await file.path(), 'utf8')).toContain('/shed/20')
  })

  test('a number of the funnel opens what it counts', async () => {
    await page.goto('/pipeline')
    await page.getByRole('button', { name: /^Indexed/ }).click()
    const panel = page.getByRole('dialog', { name: /Indexed/ })
    await shown(panel.getByRole('listitem').first())
    expect(await seriousFindings(page)).toEqual([])
    await panel.getByRole('button', { name: 'Close' }).click()
  })

  test('a search tells why something is missing, and how far something came', async () => {
    await page.goto('/pipeline')
    const journey = page.locator('#journey')
    const follow = async (text: string): Promise<void> => {
      await journey.getByRole('searchbox').fill(text)
      await journey.getByRole('button', { name: 'Follow it' }).click()
    }
    await follow('http://127.0.0.1:9/')
    await shown(journey.getByText(/^It failed at “Fetched”/))
    await follow('Nachtconcert in de Loods')
    await shown(journey.getByText('Nachtconcert in de Loods').first())
    await shown(journey.getByText('Extracted').first())
    expect(await seriousFindings(page)).toEqual([])
  })

  test('sixty sources are paused at once', async () => {
    const rows = Array.from({ length: 60 }, (_, n) => `Sixty ${n},${home}?n=${n},sixty`)
    const csv = ['name,url,tags', ...rows].join('\n')
    await call('POST', '/api/v1/sources/import?preview=false', csv)
    await waitFor('their jobs', async () => {
      const { data } = await call<{ data: { job_id: string | null }[] }>(
        'GET',
        '/api/v1/sources?tag=sixty&limit=100',
      )
      return data.length === 60 && data.every((source) => source.job_id !== null)
    })
    const colleague = await secondOperator()
    await colleague.goto('/?tag=sixty')
    await page.goto('/?tag=sixty')
    await page.getByLabel('Select the rows in sight').check()
    const bar = page.getByRole('region', { name: 'Actions on the selection' })
    const rest = bar.getByRole('button', { name: /60/ })
    if (await rest.isVisible()) await rest.click()
    await shown(bar.getByText('60 selected'))
    await bar.getByRole('button', { name: 'Pause' }).click()
    await shown(bar.getByText(/^60 of 60 done/))
    await bar.getByRole('button', { name: 'Close' }).click()
    // Who looks at them elsewhere sees it without reloading, and does not do it again.
    const theirs = colleague.getByRole('table', { name: 'Sources' })
    await waitFor(
      'the other window to show them paused',
      async () => (await theirs.getByText('Paused', { exact: true }).count()) > 20,
      { timeoutMs: 40_000 },
    )
    expect(await theirs.getByText('Healthy', { exact: true }).count()).toBe(0)
    await colleague.context().close()
  })

  test('a restart of the server is waited for, and nobody is thrown out', async () => {
    await page.goto('/pipeline')
    await shown(page.getByText(/^Updated/))
    const { port } = new URL(millrace.url)
    await millrace.stop()
    await shown(page.getByText(/^The server is away/))
    millrace = await startMillrace({ ...env, PORT: port })
    await shown(page.getByText(/^Updated/))
    await page.getByRole('link', { name: 'Sources', exact: true }).click()
    await shown(page.getByRole('table', { name: 'Sources' }))
    expect(complaints).toEqual([])
  })
})

async function shown(what: Locator): Promise<void> {
  await what.waitFor({ state: 'visible' })
}

async function create(name: string, url: string, more: object = {}): Promise<string> {
  return (await call<{ id: string }>('POST', '/api/v1/sources', { name, url, ...more })).id
}

/** Of the log, those that are filtered away included. */
async function lineCount(run: Locator): Promise<number> {
  const text = await run.getByText(/^(\d+ of )?\d+ lines?$/).textContent()
  return Number(/(\d+) line/.exec(text ?? '')?.[1] ?? 0)
}

/** Another person at another machine. */
async function secondOperator(): Promise<Page> {
  const user = await call<{ login_token: string }>('POST', '/api/v1/users', {
    email: 'colleague@example.org',
    role: 'operator',
  })
  const context = await browser?.newContext({
    baseURL: millrace.url,
    viewport: { width: 1440, height: 1500 },
    locale: 'en-GB',
  })
  if (context === undefined) throw new Error('no browser')
  const theirs = await context.newPage()
  theirs.on('pageerror', (error) => complaints.push(error.message))
  await theirs.goto(`/login?token=${user.login_token}`)
  await shown(theirs.getByRole('table', { name: 'Sources' }))
  return theirs
}

/** As the same person, from elsewhere. */
async function call<T = unknown>(method: string, path: string, body?: object | string): Promise<T> {
  const type = typeof body === 'string' ? 'text/csv' : 'application/json'
  const answer = await page.request.fetch(path, {
    method,
    ...(body !== undefined && { data: body, headers: { 'content-type': type } }),
  })
  if (!answer.ok()) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return (await answer.json()) as T
}

const concert = {
  '@context': 'https://schema.org',
  '@type': 'MusicEvent',
  name: 'Nachtconcert in de Loods',
  startDate: '2031-06-01T20:00:00+02:00',
  location: { '@type': 'Place', name: 'De Loods', address: 'Kade 1, Utrecht' },
}
const agenda = `<!doctype html><html lang="nl"><title>Agenda</title>
  <meta property="og:site_name" content="De Loods">
  <script type="application/ld+json">${JSON.stringify(concert)}</script><h1>Agenda</h1></html>`
/** Leads to pages that are gone, each of which is a line in the log. */
const shed = `<!doctype html><title>Shed</title>${Array.from(
  { length: 20 },
  (_, n) => `<a href="/shed/${n + 1}">${n + 1}</a>`,
).join(' ')}`

import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../src/db/pool.ts'
import { writeDeadLetters } from '../../src/deadletters/store.ts'
import { addCandidate } from '../../src/discover/candidates.ts'
import type { Sign } from '../../src/discover/judge.ts'
import { planPlaces } from '../../src/discover/places.ts'
import { newId } from '../../src/kernel/ids.ts'
import { settleAlerts, type Finding } from '../../src/notify/alerts.ts'
import { recordStage } from '../../src/stages/record.ts'
import { useDatabase } from '../harness/database.ts'
import { startMillrace, temporaryFolder, type MillraceProcess } from '../harness/millrace.ts'
import { addArticles, addEvent, addSource } from '../publish/fixture.ts'
import { seriousFindings } from './axe.ts'
import { buildDashboard, noBrowser, openBrowser } from './browser.ts'

const database = useDatabase()
const folder = temporaryFolder()
let millrace: MillraceProcess | null = null
let browser: Browser | null = null
let page: Page
const complaints: string[] = []
const without = noBrowser === null ? '' : `: skipped, ${noBrowser}`

describe.skipIf(noBrowser !== null)(
  `what operators do with items and trouble${without}`,
  { timeout: 90_000 },
  () => {
    beforeAll(async () => {
      buildDashboard()
      const env = { MILLRACE_DATA_DIR: folder.path, DATABASE_URL: database.url }
      const serve = ['serve', '--roles', 'api,worker']
      ;[millrace, browser] = await Promise.all([startMillrace(env, serve), openBrowser(), fill()])
      page = await browser.newPage({
        baseURL: millrace.url,
        viewport: { width: 1440, height: 1100 },
        locale: 'en-GB',
        timezoneId: 'Europe/Amsterdam',
        reducedMotion: 'reduce',
      })
      page.setDefaultTimeout(40_000)
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(`/login?token=${millrace.loginToken}`)
      await shown(page.getByRole('navigation', { name: 'Main' }))
    }, 150_000)

    afterAll(async () => {
      await browser?.close()
      await millrace?.stop()
      folder.remove()
    })

    test('two items are merged, and taken apart again', async () => {
      await page.goto('/items')
      for (const title of ['Fire in a barn', 'Barn burns down'])
        await page.getByRole('checkbox', { name: `Select ${title}` }).check()
      await page.getByRole('button', { name: 'They are the same' }).click()
      await shown(page.getByText('2 items are one story now'))
      await shown(page.getByText('told by 2'))
      await page.getByRole('row').filter({ hasText: 'told by 2' }).getByRole('button').click()
      const panel = page.getByRole('dialog')
      const members = panel.getByRole('list', { name: 'The same story elsewhere' })
      await shown(members.getByRole('listitem').nth(1))
      await fine()
      await members.getByRole('button', { name: 'Not the same' }).last().click()
      const question = page.getByRole('alertdialog')
      await fine()
      await question.getByRole('button', { name: 'Not the same' }).click()
      await shown(panel.getByText('No other source tells this.'))
      await panel.getByRole('button', { name: 'Close' }).click()
      await shown(page.getByRole('checkbox', { name: 'Select Barn burns down' }))
    })

    test('a route shows what it would take, and why not, before it is saved', async () => {
      await page.goto('/routes')
      await page.getByRole('button', { name: 'New route' }).click()
      const editor = page.getByRole('dialog', { name: 'New route' })
      await shown(editor.getByText('Name at least one filter to see what the route takes.'))
      await editor.getByLabel('Name').fill('Fires')
      await editor.getByLabel('Words in the text').fill('barn')
      await shown(editor.getByText('Takes 2 of the latest 5 items.'))
      await editor.getByLabel('Search by title or words').fill('market')
      await editor.getByRole('button', { name: /^Market on Saturday/ }).click()
      await shown(editor.getByText('The route does not take it.'))
      await fine()
      await editor.getByRole('button', { name: 'Save' }).click()
      await shown(page.getByRole('table', { name: 'Routes' }).getByText('Fires'))
    })

    test('a topic rule shows what it changes, and judging again has progress', async () => {
      await page.goto('/routes?view=rules')
      await page.getByRole('button', { name: 'New topic rule' }).click()
      const editor = page.getByRole('dialog', { name: 'New topic rule' })
      await editor.getByLabel('Topic').fill('fire')
      await page.getByRole('dialog').getByLabel('Words').fill('barn 2\nfire')
      await shown(page.getByText(/^2 of the latest 5 items get this topic; 2 change/))
      await fine()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Judge outdated items again' }).click()
      await shown(page.getByText('5 of 5, 2 changed'))
    })

    test('a dead letter is read, tried again and resolved', async () => {
      await page.goto('/dead-letters')
      await page.getByRole('button', { name: 'The database was away' }).click()
      const panel = page.getByRole('dialog', { name: 'The database was away' })
      await shown(panel.getByRole('heading', { name: 'What it was about' }))
      await fine()
      await panel.getByRole('button', { name: 'Retry' }).click()
      await shown(page.getByText('It will be tried again now'))
      await page.getByRole('button', { name: 'Resolved' }).click()
      await shown(page.getByRole('button', { name: 'The database was away' }))
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await page.getByRole('row').getByRole('button', { name: 'Discard' }).click()
      const question = page.getByRole('dialog', { name: 'Discard this dead letter?' })
      await question.getByLabel('Note').fill('the page is gone')
      await question.getByRole('button', { name: 'Discard' }).click()
      await shown(page.getByRole('heading', { name: 'No dead letters' }))
      const [row] = await database.sql`
        select resolution_notes from dead_letters where status = 'discarded'`
      expect(row?.['resolution_notes']).toBe('the page is gone')
    })

    test('an open breaker tells why and is closed by hand, a quarantined message is discarded', async () => {
      await page.goto('/breakers')
      const row = page.getByRole('row').filter({ hasText: 'Town Paper' })
      await shown(row.getByText('http 503 five times in a row'))
      await row.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click()
      await shown(row.getByText('Closed'))
      await page.goto('/event-log')
      await page.getByRole('button', { name: 'Quarantine' }).click()
      const message = page.getByRole('row').filter({ hasText: 'is not JSON' })
      await message.getByRole('button', { name: 'Retry' }).click()
      await shown(page.getByText('not valid JSON'))
      await message.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
      await shown(page.getByRole('heading', { name: 'Nothing in quarantine' }))
    })

    test('a rebalance is seen before it is made', async () => {
      await page.goto('/schedule')
      await page.getByRole('button', { name: 'Preview a rebalance' }).click()
      await shown(page.getByRole('table', { name: 'After' }))
      await shown(page.getByText(/^Clumped \d+$/))
      await page.getByRole('button', { name: /^Move \d+ jobs$/ }).click()
      await shown(page.getByText('The schedule is rebalanced'))
      const slots = await database.sql`select distinct phase_at from jobs`
      expect(slots.length).toBeGreaterThan(10)
    })

    test('an alert leads to its cause and is taken on, so that the others know', async () => {
      await page.goto('/alerts')
      await page.getByRole('button', { name: /^Source "Town Paper" was switched off/ }).click()
      const panel = page.getByRole('dialog', { name: /^Source "Town Paper"/ })
      await shown(panel.getByText('ten failures'))
      await shown(panel.getByRole('link', { name: /^Look at it/ }))
      await fine()
      await panel.getByRole('button', { name: 'I take it on' }).click()
      await shown(panel.getByText(/by admin@millrace.local$/))
      await panel.getByRole('button', { name: 'Close' }).click()
      await shown(page.getByRole('heading', { name: 'Nothing needs you' }))
      await fine()
      await page.getByRole('button', { name: 'All open' }).click()
      await shown(page.getByRole('row').filter({ hasText: 'Taken on' }))
      await page.getByLabel('Kind').selectOption('dead_letters')
      await shown(page.getByRole('heading', { name: 'Nothing needs you' }))
    })

    test('a site that was found becomes a source, another is not offered again', async () => {
      await page.goto('/discovery')
      await page.getByRole('button', { name: 'Podium agenda' }).click()
      const panel = page.getByRole('dialog', { name: 'Podium agenda' })
      await shown(panel.getByText('offers a calendar feed'))
      await fine()
      await panel.getByRole('button', { name: 'Make it a source' }).click()
      await shown(page.getByText('Podium agenda is a source now'))
      const row = page.getByRole('row').filter({ hasText: 'Old notices' })
      await row.getByRole('button', { name: 'Reject' }).click()
      const question = page.getByRole('dialog', { name: 'Reject Old notices?' })
      await question.getByLabel('Note').fill('only ads')
      await question.getByRole('button', { name: 'Reject' }).click()
      await shown(page.getByRole('heading', { name: 'No sites to judge' }))
      const [source] = await database.sql`select url from sources where name = 'Podium agenda'`
      expect(source?.['url']).toBe('https://podium.example/agenda')
      await page.getByRole('button', { name: 'Search places' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Places' }).fill('Utrecht')
      await fine()
      await page.getByRole('dialog').getByRole('button', { name: 'Search' }).click()
      await shown(page.getByText(/SEARCH_API_URL/))
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    })

    test('a drop of the funnel opens what it counts, also of one source', async () => {
      await page.goto('/pipeline?source=Town+Paper')
      await page.getByRole('button', { name: '1 stopped at Indexed: no date found' }).click()
      const panel = page.getByRole('dialog', { name: /^Stopped at “Indexed”/ })
      await shown(panel.getByText('Some day soon'))
      await fine()
      await panel.getByRole('button', { name: 'Close' }).click()
      await page.goto('/pipeline?source=The+Courier')
      await shown(page.getByText(/^Updated/))
      expect(await page.getByRole('button', { name: / stopped at / }).count()).toBe(0)
    })

    test('a key is shown once and revoked, a user gets a link that works once', async () => {
      await page.goto('/api-keys')
      await page.getByRole('button', { name: 'New API key' }).click()
      const dialog = page.getByRole('dialog', { name: 'New API key' })
      await dialog.getByLabel('Name').fill('Nightly export')
      await dialog.getByRole('button', { name: 'New API key' }).click()
      const key = (await dialog.locator('code').textContent()) ?? ''
      await fine()
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await dialog.getByRole('button', { name: 'Copy' }).click()
      await shown(dialog.getByRole('button', { name: 'Copied' }))
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
      const asked = () =>
        fetch(`${millrace?.url ?? ''}/api/v1/sources`, { headers: { 'x-api-key': key } })
      expect((await asked()).status).toBe(200)
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      const row = page.getByRole('row').filter({ hasText: 'Nightly export' })
      await row.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
      await shown(row.getByText('Revoked'))
      expect((await asked()).status).toBe(401)

      await page.goto('/users')
      await page.getByRole('button', { name: 'Add user' }).click()
      const form = page.getByRole('dialog', { name: 'Add user' })
      await form.getByLabel('Email').fill('robin@example.org')
      await form.getByRole('button', { name: 'Add user' }).click()
      const link = (await form.locator('code').textContent()) ?? ''
      await fine()
      const logIn = () =>
        fetch(`${millrace?.url ?? ''}/api/v1/auth/login-link`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token: new URL(link).searchParams.get('token') }),
        })
      expect((await logIn()).status).toBe(200)
      expect((await logIn()).status).toBe(401)
    })

    test('the agenda works on a phone, light and dark', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto('/agenda')
      await shown(page.getByRole('button', { name: 'Jazz at night' }))
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(await overflow()).toBeLessThanOrEqual(0)
      await page.emulateMedia({ colorScheme: 'dark' })
      await fine()
      await page.getByRole('button', { name: 'Outdoors' }).click()
      await page.getByRole('button', { name: 'Jazz at night' }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Walk through the dunes' }).click()
      await shown(page.getByRole('dialog').getByText('Zandvoort'))
      await fine()
      expect(complaints).toEqual([])
    })
  },
)

async function shown(what: Locator): Promise<void> {
  await what.first().waitFor({ state: 'visible' })
}

async function fine(): Promise<void> {
  expect(await seriousFindings(page)).toEqual([])
}

/** A little of everything, as refinement and the scheduler leave it. */
async function fill(): Promise<void> {
  const { sql } = database
  const source = await addSource(sql, 'Town Paper')
  const other = await addSource(sql, 'The Courier')
  const now = new Date()
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000)
  const [itemId = ''] = await addArticles(sql, source, [
    { title: 'Fire in a barn', text: 'A barn burnt down.' },
    { title: 'Market on Saturday' },
  ])
  await addArticles(sql, other, [{ title: 'Barn burns down', text: 'The barn is gone.' }])
  await addEvent(sql, source, {
    title: 'Walk through the dunes',
    startsAt: inDays(3),
    category: 'outdoors',
    city: 'Zandvoort',
  })
  await addEvent(sql, other, { title: 'Jazz at night', startsAt: inDays(2), city: 'Utrecht' })
  const letter = {
    jobId: null,
    sourceId: source,
    stage: 'publish',
    errorType: 'database',
    errorStack: null,
  }
  await transaction(sql, (tx) =>
    writeDeadLetters(
      tx,
      [
        {
          ...letter,
          subject: itemId,
          errorMessage: 'The database was away',
          payload: { item_id: itemId, kind: 'article' },
        },
        {
          ...letter,
          subject: newId(),
          errorMessage: 'The page is gone',
          payload: {},
        },
      ],
      now,
    ),
  )
  await sql`
    insert into breakers (kind, key, state, failure_count, consecutive_opens, last_failure_at, last_error, opened_at,
      cooldown_until, updated_at)
    values ('source', ${source}, 'open', 5, 1, ${now}, 'http 503 five times in a row', ${now}, ${inDays(1)}, ${now})`
  await sql`
    insert into source_event_quarantine (stream_id, raw, reason) values ('1-1', 'hello', 'is not JSON')`
  await addFindings(source, now)
  const turn = new Date(Math.ceil(now.getTime() / 3_600_000) * 3_600_000 + 4 * 3_600_000)
  await sql`
    insert into jobs (id, source_id, source_name, url, status, auto_managed, interval_minutes, next_run_at, phase_at,
      phase_minutes)
    select gen_random_uuid(), ${source}, 'Clumped ' || n, 'https://town-paper.test/', 'scheduled', false, 1440, ${turn},
      ${turn}, 1440
    from generate_series(1, 40) as n`
}

/** What watching and searching leave: an alert, two sites to judge, and an item without a date. */
async function addFindings(source: string, now: Date): Promise<void> {
  const { sql } = database
  const alert: Finding = {
    kind: 'source_disabled',
    subject: source,
    title: 'Source "Town Paper" was switched off: ten failures',
    details: { source: 'Town Paper', reason: 'ten failures' },
  }
  await transaction(sql, (tx) => settleAlerts(tx, [alert], now))
  const utrecht = { name: 'Utrecht', country: 'NL', lat: 52.09, lng: 5.12, population: 361_924 }
  await planPlaces(sql, [utrecht], now, now)
  const [place] = await sql<{ id: string }[]>`select id from discovery_places`
  const site = {
    placeId: place?.id ?? '',
    query: 'agenda Utrecht',
    confidence: 0.8,
    needsReview: false,
    reasons: ['events_found', 'calendar_feed'] as Sign[],
  }
  const url = 'https://podium.example/agenda'
  const settings = { name: 'Podium agenda', kind: 'events' }
  await addCandidate(sql, { ...site, urlKey: 'a', url, title: 'Podium agenda', settings }, now)
  const other = { url: 'https://notices.example/', title: 'Old notices', settings: {} }
  await addCandidate(sql, { ...site, ...other, urlKey: 'b', confidence: 0.2 }, now)
  const item = { title: 'Some day soon', url: 'https://town-paper.test/soon' }
  await sql`
    with raw as (
      insert into raw_items (source_id, kind, strategy, item, status)
      values (${source}, 'calendar_event', 'dom', ${sql.json(item)}, 'failed') returning id)
    insert into staged_items (raw_item_id, source_id, kind, outcome, reason, staged_at)
    select id, ${source}, 'calendar_event', 'failed', 'no_date', ${now} from raw`
  const event = {
    url: item.url,
    stage: 'crawled' as const,
    occurredAt: now,
    serviceName: 'test',
    metadata: {},
  }
  await transaction(sql, (tx) =>
    recordStage(tx, [{ ...event, source: { id: source, name: 'Town Paper' } }]),
  )
}

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spawnMillrace } from '../harness/millrace.ts'
import { waitFor } from '../harness/wait.ts'

let site: Server
let address: string
const places: string[] = []

beforeAll(async () => {
  site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    if (request.url === '/robots.txt') response.writeHead(404).end()
    // Never answered in full: the crawl is interrupted while it waits.
    else if (request.url === '/slow') response.write('<p>')
    else if (request.url === '/') response.end(page(['/one', '/two']))
    else if (request.url === '/one') response.end(page(['/slow']))
    else response.writeHead(request.url === '/two' ? 200 : 404).end('<p>Nothing here.')
  }).listen(0, '127.0.0.1')
  await waitFor('the site', () => site.listening)
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
})

afterAll(() => {
  site.closeAllConnections()
  site.close()
  for (const place of places) rmSync(place, { recursive: true, force: true })
})

function page(links: string[]): string {
  const event = {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: 'Zomerconcert in het park',
    startDate: '2027-06-12T20:30:00+02:00',
    location: { '@type': 'Place', name: 'Stadspark', address: 'Groningen' },
  }
  return `<title>Agenda</title><script type="application/ld+json">${JSON.stringify(event)}</script>
    ${links.map((link) => `<a href="${link}">${link}</a>`).join('')}`
}

/** Where one crawl keeps its database while it goes on. */
function ownPlace(): string {
  const place = mkdtempSync(join(tmpdir(), 'millrace-terminal-'))
  chmodSync(place, 0o755)
  places.push(place)
  return place
}

function crawl(place: string, ...args: string[]) {
  const env = { CRAWLER_ALLOW_PRIVATE_NETWORKS: 'true', TMPDIR: place }
  const child = spawnMillrace(env, ['crawl', address, ...args])
  const told = { out: '', err: '' }
  child.stdout?.on('data', (chunk: Buffer) => (told.out += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (told.err += chunk.toString()))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, told, exited }
}

/** The database servers that run in a place, and the folders they left. */
function left(place: string): string[] {
  const servers = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(place))
  return [...servers, ...readdirSync(place).filter((name) => name.includes('crawl'))]
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

test.concurrent(
  'a crawl from the terminal gives its items as lines and leaves nothing behind',
  async () => {
    const place = ownPlace()
    const { told, exited } = crawl(place, '--depth', '1')
    expect(await exited).toBe(0)
    const items = told.out.trimEnd().split('\n')
    expect(items.map((line) => (JSON.parse(line) as { title: string }).title)).toContain(
      'Zomerconcert in het park',
    )
    expect(told.err).toMatch(/^100% · 3 pages · \d+ items/m)
    expect(left(place)).toEqual([])
  },
  120_000,
)

test.concurrent(
  'an interrupted crawl keeps what it found and takes its database along',
  async () => {
    const place = ownPlace()
    const file = join(place, 'found.jsonl')
    const { child, told, exited } = crawl(place, '--output', file)
    await waitFor('the first item', () => fileText(file).includes('\n'), { timeoutMs: 60_000 })
    child.kill('SIGINT')
    expect(await exited).toBe(130)
    expect(told.err).toContain('what was found is written')
    for (const line of fileText(file).trimEnd().split('\n')) JSON.parse(line)
    expect(left(place)).toEqual([])
  },
  120_000,
)

test.concurrent(
  'a crawl whose reader has seen enough ends without complaint',
  async () => {
    const place = ownPlace()
    const { child, told, exited } = crawl(place)
    child.stdout?.once('data', () => child.stdout?.destroy())
    expect(await exited).toBe(0)
    expect(told.err).not.toContain('EPIPE')
    expect(left(place)).toEqual([])
  },
  120_000,
)

test.concurrent('a file that cannot be written is told before anything is fetched', async () => {
  const place = ownPlace()
  writeFileSync(join(place, 'file'), '')
  const { told, exited } = crawl(place, '--output', join(place, 'file', 'found.jsonl'))
  expect(await exited).toBe(1)
  expect(told.err).toContain('cannot be written')
  expect(left(place)).toEqual([])
})

function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

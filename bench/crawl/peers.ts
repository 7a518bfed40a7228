import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagePath } from '../../src/kernel/package-root.ts'
import type { Contender } from './contenders.ts'

const peers = { crawlee, scrapy, colly }

/** The other crawlers that can be had here, each with the settings that make it quickest; the rest is named. */
export function peersHere(url: string, wanted: (name: string) => boolean): Contender[] {
  const folder = packagePath('.cache', 'bench', 'crawl')
  mkdirSync(folder, { recursive: true })
  return Object.entries(peers).flatMap(([name, find]) => {
    if (!wanted(name)) return []
    const found = find(folder, url)
    if (typeof found !== 'string') return [{ name, ...found }]
    console.log(`${name} is left out: ${found}`)
    return []
  })
}

/** A way to run a peer, or why it cannot be. */
type Found = Omit<Contender, 'name'> | string

const crawleeVersion = '3.18.1'

function crawlee(folder: string, url: string): Found {
  try {
    installCrawlee(folder)
  } catch {
    return 'it cannot be installed from the npm registry'
  }
  writeFileSync(join(folder, 'crawlee.mjs'), crawleeProgram)
  return {
    command: process.execPath,
    // A larger young generation: a quarter of its time goes into collecting trees of pages that are done.
    args: ['--max-semi-space-size=64', join(folder, 'crawlee.mjs'), url],
    cwd: folder,
    env: { CRAWLEE_PURGE_ON_START: 'true' },
  }
}

function installCrawlee(folder: string): void {
  const manifest = JSON.stringify({
    private: true,
    type: 'module',
    dependencies: { '@crawlee/cheerio': crawleeVersion },
  })
  writeFileSync(join(folder, 'package.json'), manifest)
  execFileSync(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'],
    { cwd: folder, stdio: 'ignore' },
  )
}

/**
 * 64 pages at once from the first second on, no waiting between looks for work, only links that are new become
 * requests, no sessions, no made-up browser headers (a tenth of its time), nothing stored on disk.
 */
const crawleeProgram = `
import { CheerioCrawler, Configuration } from '@crawlee/cheerio'
const start = process.argv[2]
const seen = new Set([start])
let items = 0
const crawler = new CheerioCrawler({
  minConcurrency: 64,
  maxConcurrency: 64,
  maxRequestRetries: 3,
  useSessionPool: false,
  respectRobotsTxtFile: false,
  autoscaledPoolOptions: {
    desiredConcurrency: 64,
    maybeRunIntervalSecs: 0.05,
    autoscaleIntervalSecs: 1000,
    loggingIntervalSecs: null,
  },
  statisticsOptions: { saveErrorSnapshots: false, logIntervalSecs: 1000, persistenceOptions: { enable: false } },
  preNavigationHooks: [(_, options) => { options.useHeaderGenerator = false }],
  async requestHandler({ $, request, addRequests }) {
    const title = $('title').text()
    for (const script of $('script[type="application/ld+json"]').toArray()) { JSON.parse($(script).text()); items++ }
    const fresh = []
    for (const link of $('a[href]').toArray()) {
      const target = new URL(link.attribs.href, request.loadedUrl)
      target.hash = ''
      if (!target.href.startsWith(start) || seen.has(target.href)) continue
      seen.add(target.href)
      fresh.push(target.href)
    }
    if (fresh.length > 0) await addRequests(fresh)
    if (title === '') throw new Error('no title')
  },
}, new Configuration({ persistStorage: false, logLevel: 'OFF', memoryMbytes: 8192 }))
console.log('{"ready":true}')
const stats = await crawler.run([start])
console.log(JSON.stringify({ done: true, pages: stats.requestsFinished, items }))
`

function scrapy(folder: string, url: string): Found {
  const spider = packagePath('bench', 'crawl', 'scrapy-spider.py')
  const command = '/usr/bin/scrapy'
  if (!existsSync(command) || !hasUvloop()) {
    try {
      const packages = ['python3-scrapy', 'python3-uvloop']
      execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
        stdio: 'ignore',
      })
    } catch {
      return 'python3-scrapy and python3-uvloop cannot be installed from Debian'
    }
  }
  return {
    command,
    args: ['runspider', spider, '-a', `start=${url}`, '-s', 'LOG_ENABLED=0'],
    cwd: folder,
  }
}

function hasUvloop(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import uvloop'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function colly(): Found {
  return 'it comes by the Go module proxy only, neither by npm nor by Debian'
}

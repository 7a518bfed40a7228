import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagePath } from '../../src/kernel/package-root.ts'

export interface Contender {
  name: string
  command: string
  args: string[]
  cwd: string
  env?: Record<string, string>
}

/** Everybody who can run here, doing the same: fetch every page, read title, links and JSON-LD. */
export function contenders(url: string, pages: number): Contender[] {
  const folder = packagePath('.cache', 'bench', 'crawl')
  mkdirSync(folder, { recursive: true })
  const list: Contender[] = [
    {
      name: 'millrace',
      ...ours(url, pages),
      env: { ...quickEnv, CRAWLER_READABILITY_FALLBACK_ENABLED: 'false' },
    },
    { name: 'millrace-waterfall', ...ours(url, pages), env: quickEnv },
    {
      name: 'raw-loop',
      command: process.execPath,
      args: ['--import', 'tsx', packagePath('bench', 'crawl', 'raw-loop.ts'), url],
      cwd: packagePath(),
    },
  ]
  if (installCrawlee(folder)) {
    list.push({
      name: 'crawlee',
      command: process.execPath,
      args: [join(folder, 'crawlee.mjs'), url],
      cwd: folder,
      env: { CRAWLEE_PURGE_ON_START: 'true' },
    })
  }
  const scrapy = findScrapy()
  if (scrapy !== null) {
    list.push({
      name: 'scrapy',
      command: scrapy,
      args: [
        'runspider',
        packagePath('bench', 'crawl', 'scrapy-spider.py'),
        '-a',
        `start=${url}`,
        '-s',
        'LOG_LEVEL=ERROR',
      ],
      cwd: folder,
    })
  }
  return list
}

const quickEnv = {
  CRAWLER_ALLOW_PRIVATE_NETWORKS: 'true',
  CRAWLER_MIN_DELAY_MS: '0',
  FETCHER_CONCURRENCY: '64',
  CRAWLER_PARSE_THREADS: '2',
}

export function ours(start: string, pages: number): Pick<Contender, 'command' | 'args' | 'cwd'> {
  if (!existsSync(packagePath('dist', 'src', 'main.js')))
    throw new Error('build first: npm run build')
  return {
    command: process.execPath,
    args: ['--import', 'tsx', packagePath('bench', 'crawl', 'ours.ts'), start, String(pages)],
    cwd: packagePath(),
  }
}

function installCrawlee(folder: string): boolean {
  try {
    if (!existsSync(join(folder, 'node_modules', '@crawlee', 'cheerio'))) {
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({
          private: true,
          type: 'module',
          dependencies: { '@crawlee/cheerio': '3.15.3' },
        }),
      )
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'ignore'],
      })
    }
    writeFileSync(join(folder, 'crawlee.mjs'), crawleeProgram)
    return true
  } catch {
    console.log('crawlee cannot be installed here; it is left out')
    return false
  }
}

const crawleeProgram = `
import { CheerioCrawler, Configuration } from '@crawlee/cheerio'
let items = 0
const crawler = new CheerioCrawler({
  maxConcurrency: 64, minConcurrency: 32, maxRequestRetries: 3, useSessionPool: false, respectRobotsTxtFile: false,
  async requestHandler({ $, enqueueLinks }) {
    const title = $('title').text()
    for (const script of $('script[type="application/ld+json"]').toArray()) { JSON.parse($(script).text()); items++ }
    await enqueueLinks({ strategy: 'same-hostname' })
    if (title === '') throw new Error('no title')
  },
}, new Configuration({ persistStorage: false, logLevel: 'OFF' }))
console.log('{"ready":true}')
const stats = await crawler.run([process.argv[2]])
console.log(JSON.stringify({ done: true, pages: stats.requestsFinished, items }))
`

function findScrapy(): string | null {
  for (const path of ['/usr/bin/scrapy', '/usr/local/bin/scrapy']) if (existsSync(path)) return path
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  try {
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'python3-scrapy'], {
      stdio: 'ignore',
    })
    return existsSync('/usr/bin/scrapy') ? '/usr/bin/scrapy' : null
  } catch {
    console.log('scrapy cannot be installed here; it is left out')
    return null
  }
}

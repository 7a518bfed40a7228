import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadConfig } from '../config.ts'
import { createGuard } from '../crawl/fetch/guard.ts'
import { createStaticTier } from '../crawl/fetch/static.ts'
import { surveyPage, type PageSurvey } from '../flows/parse/survey-page.ts'
import { recommend, surveyInput, surveyUrl, type UrlSurvey } from '../flows/survey-url.ts'
import { loadArticleReader } from '../extract/steps.ts'
import type { ItemKind } from '../extract/types.ts'
import { Stop, messageOf } from '../kernel/errors.ts'
import { printSurvey } from './print-survey.ts'

export interface ExtractOptions {
  json?: boolean
  kind?: string
  /** Of a file: where it was fetched. */
  url?: string
}

/** Prints what an address or a file yields, for people or as JSON. */
export async function extract(target: string, options: ExtractOptions): Promise<void> {
  const preferredKind = kindOf(options.kind)
  await loadArticleReader()
  const result = /^https?:\/\//i.test(target)
    ? await fromWeb(target, preferredKind)
    : fromFile(target, options.url ?? 'https://example.org/', preferredKind)
  if (options.json === true) console.log(JSON.stringify(result, null, 2))
  else printSurvey(result)
  if (!result.ok) process.exitCode = 1
}

function kindOf(kind: string | undefined): ItemKind | undefined {
  if (kind === undefined) return undefined
  if (kind === 'news') return 'article'
  if (kind === 'events') return 'calendar_event'
  throw new Stop(`--kind: "${kind}" is neither news nor events`)
}

async function fromWeb(url: string, preferredKind: ItemKind | undefined): Promise<UrlSurvey> {
  if (!URL.canParse(url)) throw new Stop(`"${url}" is not an address`)
  const config = loadConfig()
  const tier = createStaticTier({
    guard: createGuard({ allowPrivate: config.allowPrivateNetworks }),
    userAgent: () => config.userAgent,
    timeoutMs: config.fetchTimeoutMs,
    maxBytes: config.maxBodyBytes,
    maxRedirects: config.maxRedirects,
    followRedirects: true,
  })
  try {
    return await surveyUrl(
      {
        fetch: (request) => tier.fetch(request),
        survey: surveyPage,
        userAgent: config.userAgent,
        respectRobots: config.respectRobots,
        now: () => new Date(),
      },
      url,
      preferredKind,
    )
  } finally {
    await tier.close()
  }
}

const noRobots = { status: null, allowed: true, crawlDelayMs: null, sitemaps: [] }

function fromFile(file: string, url: string, preferredKind: ItemKind | undefined): UrlSurvey {
  const body = read(file)
  const headers = { 'content-type': typeOf(file) }
  const deps = { userAgent: 'millrace', now: () => new Date() }
  const survey: PageSurvey = surveyPage(surveyInput(url, body, headers, deps, preferredKind))
  return {
    ok: true,
    url,
    status: 200,
    robots: noRobots,
    survey,
    recommended: recommend(survey, null),
  }
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(resolve(file))
  } catch (error) {
    throw new Stop(`${file} cannot be read: ${messageOf(error)}`)
  }
}

function typeOf(file: string): string {
  if (/\.ics$/i.test(file)) return 'text/calendar'
  if (/\.(?:xml|rss|atom)$/i.test(file)) return 'application/xml'
  return /\.json$/i.test(file) ? 'application/json' : 'text/html'
}

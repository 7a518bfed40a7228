import { hash as hashOf } from 'node:crypto'
import { appendBody } from '../../archive/packs/append.ts'
import type { KeptBody } from '../../archive/packs/record.ts'
import { decodeBody } from '../../crawl/charset/index.ts'
import type { FrontierKind } from '../../crawl/frontier/types.ts'
import { parseRobotsDirectives } from '../../crawl/robots/index.ts'
import { parseSitemap } from '../../crawl/sitemaps/index.ts'
import { detectCms } from '../../extract/dom/cms.ts'
import { nextLinks } from '../../extract/dom/pagination.ts'
import { pageLinks, type PageLink } from '../../extract/links/page-links.ts'
import { openPage, type Page } from '../../extract/page.ts'
import type { RawItem, StrategyName } from '../../extract/types.ts'
import { runWaterfall, type TraceStep, type WaterfallOptions } from '../../extract/waterfall.ts'
import { messageOf } from '../../kernel/errors.ts'
import { normalizeUrl } from '../../kernel/url.ts'
import { Unkept } from './unkept.ts'
import { blockPageReason } from '../../crawl/fetch/block-page.ts'
import { looksClientRendered } from '../../crawl/fetch/client-rendered.ts'

export interface ParseInput {
  url: string
  kind: FrontierKind
  body: Uint8Array
  headers: Record<string, string>
  fetchedAt: number
  userAgent: string
  options: WaterfallOptions
  /** Of the source: what its floating times and unmarked words are in. */
  timezone?: string | null
  locale?: string | null
  /** Of the last fetch: the same body is not parsed again. */
  knownHash: string | null
  /** Where the body is kept; null when somebody else keeps it, or nobody. */
  packFolder: string | null
  extract: boolean
}

export interface SitemapEntry {
  url: string
  isSitemap: boolean
  changedAt: number | null
}

export interface ParsedPage {
  hash: string
  /** Where the body was put; it counts from when this is committed. */
  kept: KeptBody | null
  unchanged: boolean
  /** The answer is a captcha or a block page, whatever its status said. */
  blocked: string | null
  charset: string
  contentType: string | null
  title: string | null
  canonical: string | null
  links: PageLink[]
  nextPages: string[]
  sitemap: SitemapEntry[]
  items: RawItem[]
  strategy: StrategyName | null
  trace: TraceStep[]
  learnedPath: string | null
  saysEmpty: boolean
  cms: string | null
  noindex: boolean
  nofollow: boolean
  needsBrowser: boolean
  ms: number
}

/** Everything about one response that takes processor time: done in a thread, with bytes in and plain data out. */
export function parsePage(input: ParseInput): ParsedPage {
  const started = performance.now()
  const hash = hashOf('sha256', input.body)
  const contentType = input.headers['content-type'] ?? null
  const empty = emptyResult(hash, contentType)
  if (hash === input.knownHash)
    return { ...empty, unchanged: true, ms: performance.now() - started }
  if (input.kind === 'sitemap')
    return {
      ...empty,
      kept: keep(input, hash),
      sitemap: readSitemap(input),
      ms: performance.now() - started,
    }

  const { text, encoding } = decodeBody(input.body, contentType)
  const page = openPage({
    url: input.url,
    body: text,
    contentType,
    fetchedAt: new Date(input.fetchedAt),
    ...(input.timezone && { timezone: input.timezone }),
    ...(input.locale && { locale: input.locale }),
  })
  const isHtml = looksLikeHtml(contentType, text)
  const blocked = isHtml ? blockPageReason(text, page.scan.title) : null
  if (blocked !== null)
    return { ...empty, blocked, charset: encoding, ms: performance.now() - started }
  const directives = robotsDirectives(page, input, isHtml)
  const extraction = input.extract && !directives.noindex ? runWaterfall(page, input.options) : null
  return {
    ...empty,
    kept: keep(input, hash),
    charset: encoding,
    title: isHtml ? page.scan.title : null,
    canonical: isHtml ? page.scan.canonical : null,
    links: isHtml
      ? pageLinks(page).map((link) => (directives.nofollow ? { ...link, nofollow: true } : link))
      : [],
    nextPages:
      isHtml && !directives.nofollow
        ? nextLinks(page)
            .filter((next) => !next.calendarTrap)
            .map((next) => next.url)
        : [],
    items: extraction?.items ?? [],
    strategy: extraction?.by ?? null,
    trace: extraction?.trace ?? [],
    learnedPath: extraction?.learnedPath ?? null,
    saysEmpty: extraction?.saysEmpty ?? false,
    cms: isHtml && input.kind === 'listing' ? (detectCms(page)?.cms ?? null) : null,
    noindex: directives.noindex,
    nofollow: directives.nofollow,
    needsBrowser: isHtml && (extraction?.items.length ?? 0) === 0 && looksClientRendered(text),
    ms: performance.now() - started,
  }
}

function emptyResult(hash: string, contentType: string | null): ParsedPage {
  return {
    hash,
    kept: null,
    unchanged: false,
    blocked: null,
    charset: 'utf-8',
    contentType,
    title: null,
    canonical: null,
    links: [],
    nextPages: [],
    sitemap: [],
    items: [],
    strategy: null,
    trace: [],
    learnedPath: null,
    saysEmpty: false,
    cms: null,
    noindex: false,
    nofollow: false,
    needsBrowser: false,
    ms: 0,
  }
}

function keep({ packFolder, body }: ParseInput, hash: string): KeptBody | null {
  if (packFolder === null) return null
  try {
    return appendBody(packFolder, hash, body)
  } catch (error) {
    throw new Unkept(
      `the page could not be archived: ${messageOf(error)}. Is there room in the data folder?`,
    )
  }
}

function readSitemap(input: ParseInput): SitemapEntry[] {
  const sitemap = parseSitemap(input.body)
  return sitemap.urls.flatMap((entry) => {
    const url = normalizeUrl(entry.loc, input.url)
    if (url === null) return []
    const changedAt = entry.lastmod === undefined ? NaN : Date.parse(entry.lastmod)
    return [
      {
        url,
        isSitemap: sitemap.type === 'index',
        changedAt: Number.isNaN(changedAt) ? null : changedAt,
      },
    ]
  })
}

function robotsDirectives(page: Page, input: ParseInput, isHtml: boolean) {
  const header = input.headers['x-robots-tag']
  const metas = isHtml
    ? page.scan.metas.filter((meta) => meta.key === 'robots').map((meta) => meta.content)
    : []
  return parseRobotsDirectives(
    [...(header === undefined ? [] : [header]), ...metas],
    input.userAgent,
  )
}

function looksLikeHtml(contentType: string | null, text: string): boolean {
  if (contentType !== null && /html/i.test(contentType)) return true
  return /^\s*(?:<!doctype html|<html|<head|<body)/i.test(text.slice(0, 500))
}

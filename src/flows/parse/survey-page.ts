import { decodeBody } from '../../crawl/charset/index.ts'
import { openPage, type Page } from '../../extract/page.ts'
import { everyStep } from '../../extract/steps.ts'
import type { RawItem, StrategyName } from '../../extract/types.ts'
import { attempt, type TraceStep } from '../../extract/waterfall.ts'
import { parsePage, type ParsedPage, type ParseInput } from './parse-page.ts'

export interface StrategyReading {
  strategy: StrategyName
  items: RawItem[]
  step: TraceStep
}

export interface FoundFeed {
  url: string
  title: string | null
  kind: 'feed' | 'ics'
}

/** One page through the waterfall, and beside it through each strategy alone. */
export interface PageSurvey {
  parsed: ParsedPage
  strategies: StrategyReading[]
  feeds: FoundFeed[]
  /** As the page states it itself: `nl`, `en-GB`. */
  language: string | null
  siteName: string | null
}

export function surveyPage(input: ParseInput): PageSurvey {
  const parsed = parsePage({ ...input, knownHash: null, packFolder: null, extract: true })
  const page = pageOf(input)
  const meta = (key: string): string | null =>
    page.scan.metas.find((tag) => tag.key === key)?.content ?? null
  return {
    parsed,
    strategies: parsed.blocked === null ? sideBySide(page, input) : [],
    language: page.scan.lang ?? meta('og:locale') ?? meta('content-language'),
    siteName: meta('og:site_name') ?? meta('application-name'),
    feeds: parsed.links.flatMap(({ url, text, kind }) =>
      kind === 'feed' || kind === 'ics' ? [{ url, title: text === '' ? null : text, kind }] : [],
    ),
  }
}

function pageOf(input: ParseInput): Page {
  const contentType = input.headers['content-type'] ?? null
  return openPage({
    url: input.url,
    body: decodeBody(input.body, contentType).text,
    contentType,
    fetchedAt: new Date(input.fetchedAt),
  })
}

function sideBySide(page: Page, input: ParseInput): StrategyReading[] {
  return everyStep(page).flatMap((step) => {
    const trace: TraceStep[] = []
    const { items } = attempt(step, page, input.options, trace)
    const [note] = trace
    return note === undefined ? [] : [{ strategy: step.name, items, step: note }]
  })
}

import { findTeasers } from './dom/articles.ts'
import { domStrategy } from './dom/strategy.ts'
import { feedStrategy, isFeedBody } from './feed-strategy.ts'
import { extractHydration } from './hydration/strategy.ts'
import { jsonLdStrategy } from './json-ld/strategy.ts'
import type { Page } from './page.ts'
import type { Strategy, StrategyContext } from './strategy.ts'
import type { RawItem, StrategyName } from './types.ts'

export interface StepResult {
  items: RawItem[]
  /** Where in the page's state they stood. */
  path?: string
}

export interface Step {
  name: StrategyName
  extract(page: Page, context: StrategyContext): StepResult
}

const hydration: Step = { name: 'hydration', extract: extractHydration }
const jsonLd = stepOf(jsonLdStrategy)
const feed = stepOf(feedStrategy)
const calendarByLooks: Step = {
  name: 'dom',
  extract: (page, context) => ({
    items: domStrategy
      .extract(page, { ...context, preferredKind: 'calendar_event' })
      .filter((item) => item.kind === 'calendar_event'),
  }),
}
const articleListByLooks: Step = {
  name: 'dom',
  extract: (page) => ({ items: findTeasers(page) }),
}

let article: Step | null = null

/**
 * To be awaited by whoever reads articles, once: the tables by which their language is told are 46 MB and a second, and
 * a thread that reads none goes without.
 */
export async function loadArticleReader(): Promise<void> {
  article ??= stepOf((await import('./article/strategy.ts')).articleStrategy)
}

/** Each way of reading once, for looking at them side by side. */
export function everyStep(page: Page): Step[] {
  return isFeedBody(page)
    ? [feed]
    : [hydration, jsonLd, calendarByLooks, articleStep(), articleListByLooks]
}

/** The order of the attempts: what the source is known for decides which guesses are made at all. */
export function stepsFor(
  page: Page,
  options: StrategyContext & { preferredMethod?: StrategyName | null },
): Step[] {
  if (isFeedBody(page)) return [feed]
  const calendars = options.preferredKind === 'article' ? [] : [calendarByLooks]
  const text = options.readability === false ? [] : [articleStep()]
  const articles = options.preferredKind === 'calendar_event' ? [] : [...text, articleListByLooks]
  const steps = [hydration, jsonLd, ...calendars, ...articles]
  return preferredFirst(steps, options.preferredMethod ?? null, page)
}

function articleStep(): Step {
  if (article === null) throw new Error('the reader of articles is not loaded')
  return article
}

/**
 * A method by looks wins on every page, so once preferred it would never be left again: structured data, which costs
 * next to nothing to look for, keeps its turn before it.
 */
function preferredFirst(steps: Step[], preferred: StrategyName | null, page: Page): Step[] {
  const rank = ({ name }: Step): number => {
    if (name === preferred) return 1
    const byLooks = preferred === 'dom' || preferred === 'article'
    return name === 'json_ld' && byLooks && hasJsonLd(page) ? 0 : 2
  }
  return [...steps].sort((a, b) => rank(a) - rank(b))
}

function hasJsonLd(page: Page): boolean {
  return page.scan.scripts.some((script) => script.type === 'application/ld+json')
}

function stepOf(strategy: Strategy): Step {
  return {
    name: strategy.name,
    extract: (page, context) => ({ items: strategy.extract(page, context) }),
  }
}

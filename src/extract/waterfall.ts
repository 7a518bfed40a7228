import { articleStrategy } from './article/strategy.ts'
import { domStrategy } from './dom/strategy.ts'
import { emptyCalendar } from './dom/empty-calendar.ts'
import { feedStrategy } from './feed-strategy.ts'
import { extractHydration } from './hydration/strategy.ts'
import { jsonLdStrategy } from './json-ld/strategy.ts'
import { fillGaps } from './merge-items.ts'
import type { Page } from './page.ts'
import type { Strategy, StrategyContext } from './strategy.ts'
import type { RawItem, StrategyName } from './types.ts'

export interface TraceStep {
  strategy: StrategyName
  found: number
  ms: number
  /** Why the step was passed over or gave up. */
  note?: string
}

export interface Extraction {
  items: RawItem[]
  by: StrategyName | null
  trace: TraceStep[]
  /** Where in the page's state the items were, to be tried first next time. */
  learnedPath: string | null
  /** The page itself says that nothing is planned: an empty calendar, not a broken extractor. */
  saysEmpty: boolean
}

export interface WaterfallOptions extends StrategyContext {
  preferredMethod?: StrategyName | null
}

/** Strategies in the order of how much they can be trusted; the looks of a page come last. */
export function runWaterfall(page: Page, options: WaterfallOptions = {}): Extraction {
  let learnedPath: string | null = null
  const hydration: Strategy = {
    name: 'hydration',
    extract: (target, context) => {
      const found = extractHydration(target, context)
      learnedPath = found.items.length > 0 ? found.path : null
      return found.items
    },
  }
  const strategies = preferredFirst(
    [hydration, jsonLdStrategy, feedStrategy, domStrategy, articleStrategy],
    options.preferredMethod ?? null,
  )
  const trace: TraceStep[] = []
  for (const [index, strategy] of strategies.entries()) {
    const items = attempt(strategy, page, options, trace)
    if (items.length === 0) continue
    const filled = needsMore(items)
      ? fillGaps(items, () => laterItems(strategies.slice(index + 1), page, options, trace))
      : items
    return {
      items: filled,
      by: strategy.name,
      trace,
      learnedPath: strategy.name === 'hydration' ? learnedPath : null,
      saysEmpty: false,
    }
  }
  return { items: [], by: null, trace, learnedPath: null, saysEmpty: saysEmpty(page) }
}

function preferredFirst(strategies: Strategy[], preferred: StrategyName | null): Strategy[] {
  return [...strategies].sort((a, b) => Number(b.name === preferred) - Number(a.name === preferred))
}

/** A strategy that fails is a step without items: the next one gets its turn. */
function attempt(
  strategy: Strategy,
  page: Page,
  context: StrategyContext,
  trace: TraceStep[],
): RawItem[] {
  const started = performance.now()
  const elapsed = (): number => Math.round((performance.now() - started) * 10) / 10
  try {
    const items = strategy.extract(page, context)
    trace.push({ strategy: strategy.name, found: items.length, ms: elapsed() })
    return items
  } catch (error) {
    trace.push({
      strategy: strategy.name,
      found: 0,
      ms: elapsed(),
      note: error instanceof Error ? error.message : String(error),
    })
    return []
  }
}

/** A single item with holes is worth another look; long lists have their own pages. */
function needsMore(items: readonly RawItem[]): boolean {
  const [item] = items
  if (items.length !== 1 || item === undefined) return false
  if (item.article !== null) return item.article.text === ''
  return item.description === null || item.calendar?.locations.length === 0
}

function laterItems(
  strategies: Strategy[],
  page: Page,
  context: StrategyContext,
  trace: TraceStep[],
): RawItem[] {
  return strategies.flatMap((strategy) => attempt(strategy, page, context, trace))
}

function saysEmpty(page: Page): boolean {
  try {
    return emptyCalendar(page).empty
  } catch {
    return false
  }
}

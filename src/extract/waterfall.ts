import { emptyCalendar } from './dom/empty-calendar.ts'
import { completeItems } from './complete-items.ts'
import { finishItems } from './finish-items.ts'
import { isFeedBody } from './feed-strategy.ts'
import type { Page } from './page.ts'
import { stepsFor, type Step, type StepResult } from './steps.ts'
import type { StrategyContext } from './strategy.ts'
import type { RawItem, StrategyName } from './types.ts'
import { whyNot } from './weigh-items.ts'

export type StepOutcome = 'won' | 'filled' | 'nothing' | 'rejected' | 'failed'

export interface TraceStep {
  strategy: StrategyName
  outcome: StepOutcome
  found: number
  ms: number
  /** Why the step was passed over, or which fields it filled. */
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
  const steps = stepsFor(page, options)
  const trace: TraceStep[] = []
  for (const [index, step] of steps.entries()) {
    const { items, path } = attempt(step, page, options, trace)
    if (items.length === 0) continue
    const later = steps.slice(index + 1).filter((other) => other.name !== step.name)
    const completed = completeItems(items, page, later, (other) =>
      readAgain(other, page, options, trace),
    )
    return {
      items: finishItems(completed, page),
      by: step.name,
      trace,
      learnedPath: path ?? null,
      saysEmpty: false,
    }
  }
  return { items: [], by: null, trace, learnedPath: null, saysEmpty: saysEmpty(page, options) }
}

/** A strategy that fails is a step without items: the next one gets its turn. */
export function attempt(
  step: Step,
  page: Page,
  context: StrategyContext,
  trace: TraceStep[],
): StepResult {
  const started = performance.now()
  const note = (outcome: StepOutcome, found: number, why?: string): void => {
    const ms = Math.round((performance.now() - started) * 10) / 10
    trace.push({ strategy: step.name, outcome, found, ms, ...(why !== undefined && { note: why }) })
  }
  try {
    const result = step.extract(page, context)
    const why = whyNot(result.items, page, context)
    note(
      result.items.length === 0 ? 'nothing' : why === null ? 'won' : 'rejected',
      result.items.length,
      why ?? undefined,
    )
    return why === null ? result : { items: [] }
  } catch (error) {
    note('failed', 0, error instanceof Error ? error.message : String(error))
    return { items: [] }
  }
}

function readAgain(
  step: Step,
  page: Page,
  context: StrategyContext,
  trace: TraceStep[],
): RawItem[] {
  const { items } = attempt(step, page, context, trace)
  const last = trace.at(-1)
  if (last?.outcome === 'won') last.outcome = 'filled'
  return items
}

function saysEmpty(page: Page, { preferredKind }: StrategyContext): boolean {
  if (preferredKind === 'article' || isFeedBody(page)) return false
  try {
    return emptyCalendar(page).empty
  } catch {
    return false
  }
}

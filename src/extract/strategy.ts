import type { Page } from './page.ts'
import type { ItemKind, RawItem, StrategyName } from './types.ts'

/** What is known about the source before its page is read. */
export interface StrategyContext {
  /** The path that won last time in this source's state, tried first. */
  learnedPath?: string
  /** Selectors configured or learned for the source, by field name. */
  selectors?: Record<string, string>
  preferredKind?: ItemKind
  /** Whether to read the text of an article that no structured data gives; true when left out. */
  readability?: boolean
}

/** One step of the waterfall: pure, bounded, and without items rather than with an error. */
export interface Strategy {
  name: StrategyName
  extract(page: Page, context: StrategyContext): RawItem[]
}

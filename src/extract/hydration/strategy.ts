import type { Page } from '../page.ts'
import type { Strategy, StrategyContext } from '../strategy.ts'
import { findItems, type FoundItems } from './find-items.ts'
import { readHydration } from './read-hydration.ts'

/** Items in the state a page carries for its own application. */
export const hydrationStrategy: Strategy = {
  name: 'hydration',
  extract: (page, context) => extractHydration(page, context).items,
}

/** As the strategy, with the path that won, for the caller to learn. */
export function extractHydration(page: Page, context: StrategyContext): FoundItems {
  const states = readHydration(page)
  if (states.length === 0) return { items: [], path: '' }
  return findItems(states, page, context.learnedPath, context.preferredKind)
}

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
  const states = readHydration(page, mayHoldItems)
  if (states.length === 0) return { items: [], path: '' }
  return findItems(states, page, context.learnedPath, context.preferredKind)
}

// Items have a name and a date; most scripts are for counting visitors and have neither.
const DATE = /(?:19|20)\d\d|\d{10}|\bnew Date\b/
const NAME =
  /(?:title|name|headline|heading|summary|subject|titel|naam|label|caption|nombre|titre)/i
const STREAMED = /__next_f|streamController|__NUXT/

function mayHoldItems(code: string): boolean {
  return STREAMED.test(code) || (NAME.test(code) && DATE.test(code))
}

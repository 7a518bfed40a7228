import { PageTooComplex, type Page } from '../page.ts'
import type { Strategy, StrategyContext } from '../strategy.ts'
import type { RawItem } from '../types.ts'
import { findTeasers } from './articles.ts'
import { detectCms } from './cms.ts'
import { cmsDetailSelectors, cmsSelectors } from './cms-selectors.ts'
import { findEvents } from './events.ts'
import { eventItem } from './event-item.ts'
import { languageOf } from './language.ts'
import { itemsBySelectors, type SelectorSet } from './selectors.ts'

const MIN_CMS_ITEMS = 2
// A ready set that reads only some of its own blocks was made for another version of the template.
const MIN_CMS_SHARE = 0.8

/** The page's looks, when nothing on it was written for machines. */
export const domStrategy: Strategy = {
  name: 'dom',
  extract(page, context) {
    if (!hasTree(page)) return []
    const items = bySelectors(page, context) ?? byShape(page)
    const preferred = items.filter((item) => item.kind === context.preferredKind)
    return preferred.length > 0 ? preferred : items
  },
}

function hasTree(page: Page): boolean {
  try {
    return page.dom.children.length > 0
  } catch (error) {
    if (error instanceof PageTooComplex) return false
    throw error
  }
}

function bySelectors(page: Page, context: StrategyContext): RawItem[] | null {
  if (context.selectors !== undefined) {
    const given = itemsBySelectors(page, context.selectors)
    if (given.items.length > 0) return given.items
  }
  const cms = detectCms(page)
  for (const set of cms === null ? [] : cmsSelectors(cms.cms)) {
    const { items, containers } = itemsBySelectors(page, set)
    const known = items.filter((item) => item.kind === 'calendar_event')
    if (known.length >= MIN_CMS_ITEMS && known.length >= containers * MIN_CMS_SHARE) return known
  }
  return cms === null ? null : ofOnePage(page, cmsDetailSelectors(cms.cms))
}

function ofOnePage(page: Page, set: SelectorSet | null): RawItem[] | null {
  if (set === null) return null
  const { items, containers } = itemsBySelectors(page, set)
  const [only] = items
  return containers === 1 && only?.kind === 'calendar_event' ? [only] : null
}

function byShape(page: Page): RawItem[] {
  const ref = page.fetchedAt.toISOString().slice(0, 10)
  const { events, page: lines } = findEvents({
    document: page.dom,
    url: page.url,
    pageTitle: page.scan.title ?? '',
    ref,
    lang: languageOf(page),
  })
  const items = events
    .map((event) => eventItem(event, lines, page))
    .filter((item) => !wasPublished(item, ref))
  return items.length > 0 ? items : findTeasers(page)
}

/** News carries the day it came out in its address; nothing happens there, and nowhere. */
function wasPublished(item: RawItem, ref: string): boolean {
  const day = item.calendar?.start?.slice(0, 10)
  if (day === undefined || day > ref || item.url === null) return false
  const nowhere = item.calendar?.locations.length === 0
  return nowhere && item.url.includes(`/${day.replaceAll('-', '/')}/`)
}

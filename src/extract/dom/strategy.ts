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
  const items = withoutNews(
    events.map((event) => eventItem(event, lines, page)),
    ref,
  )
  return items.length > 0 ? items : findTeasers(page)
}

/** A list that has one thing come out at nine past one is of news, the one of a quarter past included. */
function withoutNews(items: readonly RawItem[], ref: string): RawItem[] {
  const isOver = (item: RawItem): boolean =>
    item.url !== null &&
    item.calendar?.locations.length === 0 &&
    (item.calendar.start ?? '').slice(0, 10) <= ref
  const isNews = items.some((item) => isOver(item) && oddMinute.test(item.calendar?.start ?? ''))
  return items.filter((item) => !isOver(item) || !(isNews || hasDayInAddress(item)))
}

/** News carries the day it came out in its address; nothing happens there, and nowhere. */
function hasDayInAddress({ url, calendar }: RawItem): boolean {
  const day = calendar?.start?.slice(0, 10) ?? ''
  return day !== '' && url?.includes(`/${day.replaceAll('-', '/')}/`) === true
}

/** What people meet for begins at a round time. */
const oddMinute = /T\d\d:\d[1-46-9]/

import { fillFrom, isSameItem } from './merge-items.ts'
import type { Page } from './page.ts'
import type { Step } from './steps.ts'
import type { RawItem, StrategyName } from './types.ts'

/**
 * Fills what the winning strategy left empty from the strategies after it. The item that is the page itself may cost
 * a tree; the entries of a list are only completed by what is cheap, because they have pages of their own.
 */
export function completeItems(
  items: readonly RawItem[],
  page: Page,
  later: readonly Step[],
  read: (step: Step) => RawItem[],
): RawItem[] {
  const own = ownItem(items, page)
  let completed = [...items]
  for (const step of later) {
    const target = own === null ? undefined : completed[items.indexOf(own)]
    const wanted = target !== undefined && lacks(target, step.name)
    if (!wanted && !(step.name === 'json_ld' && completed.some(isThin) && hasJsonLd(page))) continue
    const others = read(step)
    // The article strategy reads nothing but the page itself, whatever it calls it.
    const wholePage = step.name === 'article' && others.length === 1
    completed = completed.map((item) => {
      const known = others.filter(
        (other) => (wholePage && item === target) || isSameItem(item, other),
      )
      return known.reduce(fillFrom, item)
    })
  }
  return completed
}

/** The item this page is about; null for a list. */
export function ownItem(items: readonly RawItem[], page: Page): RawItem | null {
  const [only] = items
  if (only !== undefined && items.length === 1) return only
  const addresses = [page.url, page.scan.canonical].map((url) => pageKey(url ?? ''))
  return items.find((item) => item.url !== null && addresses.includes(pageKey(item.url))) ?? null
}

function pageKey(url: string): string {
  return url.replace(/#.*$/, '').replace(/\/$/, '')
}

/** Whether a strategy can give what the item has not. */
function lacks(item: RawItem, strategy: StrategyName): boolean {
  if (item.article !== null)
    return strategy === 'article' ? item.article.text === '' : strategy === 'json_ld'
  if (item.calendar === null || strategy === 'article') return false
  const { locations, onlineUrl } = item.calendar
  return item.description === null || (locations.length === 0 && onlineUrl === null)
}

function isThin(item: RawItem): boolean {
  return item.description === null || item.url === null || item.calendar?.locations.length === 0
}

function hasJsonLd(page: Page): boolean {
  return page.scan.scripts.some((script) => script.type === 'application/ld+json')
}

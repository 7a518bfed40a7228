import type { DemoArticle, DemoEvent, DemoItem } from '../types.ts'

/** The calendar events among the items, in order of time. */
export function eventsOf(items: readonly DemoItem[]): DemoEvent[] {
  return items
    .filter((item): item is DemoEvent => item.kind === 'calendar_event')
    .sort((a, b) => a.start.localeCompare(b.start))
}

export function articlesOf(items: readonly DemoItem[]): DemoArticle[] {
  return items.filter((item): item is DemoArticle => item.kind === 'article')
}

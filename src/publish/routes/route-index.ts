import { foldText } from '../tokens.ts'
import type { ClassifiedItem } from '../types.ts'
import { conditionsOf, subjectOf, type Condition, type Subject } from './conditions.ts'
import { isEmptyFilter, type Route } from './filters.ts'
import { gridKey } from './grid.ts'

export interface RouteMatch {
  route: Route
  matchedTopics: string[]
}

export interface RouteIndex {
  routes: readonly Route[]
  match(classified: ClassifiedItem): RouteMatch[]
}

interface Entry {
  route: Route
  conditions: Condition[]
}

/**
 * Each route is filed under the keys of its most telling condition, so an item meets only the routes that share one of
 * its keys; routes that any item may pass stand in a list of their own.
 */
export function buildRouteIndex(routes: readonly Route[]): RouteIndex {
  const active = routes.filter((route) => route.enabled && !isEmptyFilter(route.filters))
  const byKey = new Map<string, Entry[]>()
  // Words by themselves: an item has hundreds of them.
  const byWord = new Map<string, Entry[]>()
  const open: Entry[] = []
  for (const route of active) {
    const conditions = conditionsOf(route.filters)
    const entrance = conditions.find((condition) => condition.keys !== null)
    // The entrance is checked too: its keys may be coarser than the condition.
    const entry = { route, conditions }
    if (entrance?.keys === undefined || entrance.keys === null) open.push(entry)
    else if (entrance.name === 'text') entrance.keys.forEach((word) => file(byWord, word, entry))
    else for (const key of new Set(entrance.keys)) file(byKey, key, entry)
  }
  return {
    routes: active,
    match: (classified) => {
      const subject = subjectOf(classified)
      const found = new Set<Entry>()
      const consider = (entry: Entry): void => {
        if (!found.has(entry) && entry.conditions.every((one) => one.holds(subject)))
          found.add(entry)
      }
      for (const key of keysOf(subject)) byKey.get(key)?.forEach(consider)
      if (byWord.size > 0) for (const word of subject.words()) byWord.get(word)?.forEach(consider)
      open.forEach(consider)
      return [...found].map(({ route }) => ({
        route,
        matchedTopics: matchedTopics(route, classified),
      }))
    },
  }
}

function file(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = map.get(key)
  if (entries === undefined) map.set(key, [entry])
  else entries.push(entry)
}

function* keysOf(subject: Subject): Generator<string> {
  const { item, classification } = subject.classified
  yield `source:${item.sourceId}`
  for (const topic of subject.topics) yield `topic:${topic}`
  for (const tag of subject.tags) yield `tag:${foldText(tag)}`
  if (item.category !== null) yield `category:${item.category}`
  yield `type:${classification.contentType}`
  yield `language:${item.language}`
  yield `kind:${item.kind}`
  if (item.lat !== null && item.lng !== null) yield gridKey(item.lat, item.lng)
}

function matchedTopics(route: Route, { classification }: ClassifiedItem): string[] {
  const asked = new Set([...(route.filters.topics_any ?? []), ...(route.filters.topics_all ?? [])])
  return asked.size === 0
    ? classification.topics
    : classification.topics.filter((topic) => asked.has(topic))
}

import type { RouteMatch } from '../routes/route-index.ts'
import type { Route } from '../routes/filters.ts'

export type ChangeName = 'created' | 'updated' | 'deleted'

export interface Decision {
  route: Route
  change: ChangeName
  matchedTopics: string[]
}

/** What the consumers of each route have to be told about this version of an item; nothing where nothing changed. */
export function decide(
  matches: readonly RouteMatch[],
  /** The version each route had last, of the routes the item is on. */
  members: ReadonlyMap<string, number>,
  version: number,
  routes: ReadonlyMap<string, Route>,
): Decision[] {
  const decisions: Decision[] = []
  const matched = new Set<string>()
  for (const { route, matchedTopics } of matches) {
    matched.add(route.id)
    const last = members.get(route.id)
    if (last === version) continue
    decisions.push({ route, change: last === undefined ? 'created' : 'updated', matchedTopics })
  }
  for (const routeId of members.keys()) {
    // A route that is switched off is told nothing; it catches up when it is switched on again.
    const route = routes.get(routeId)
    if (route?.enabled === true && !matched.has(routeId))
      decisions.push({ route, change: 'deleted', matchedTopics: [] })
  }
  return decisions
}

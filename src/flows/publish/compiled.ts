import type { Db } from '../../db/pool.ts'
import { createClassifier, type Classifier } from '../../publish/classify/classify.ts'
import { listRules } from '../../publish/classify/rules-store.ts'
import { buildRouteIndex, type RouteIndex } from '../../publish/routes/route-index.ts'
import { loadRoutes } from '../../publish/routes/store.ts'
import type { Route } from '../../publish/routes/filters.ts'
import { readVersions } from '../../publish/versions.ts'

export interface Compiled {
  classifier: Classifier
  index: RouteIndex
  /** All routes, those that are switched off too. */
  routes: ReadonlyMap<string, Route>
}

/** Rules and routes ready for use; compiled again when one of them was changed by anybody. */
export function createCompiler(): (db: Db) => Promise<Compiled> {
  let rules: { version: string; classifier: Classifier } | null = null
  let routes: { version: string; index: RouteIndex; all: ReadonlyMap<string, Route> } | null = null
  return async (db) => {
    // The versions first: what changes between the two reads is read again next time.
    const versions = await readVersions(db)
    if (rules?.version !== versions.rules)
      rules = { version: versions.rules, classifier: createClassifier(await listRules(db)) }
    if (routes?.version !== versions.routes) {
      const list = await loadRoutes(db)
      routes = {
        version: versions.routes,
        index: buildRouteIndex(list),
        all: new Map(list.map((route) => [route.id, route])),
      }
    }
    return { classifier: rules.classifier, index: routes.index, routes: routes.all }
  }
}

import { createClassifier } from '../../src/publish/classify/classify.ts'
import type { TopicRule } from '../../src/publish/classify/topics.ts'
import { conditionsOf, subjectOf } from '../../src/publish/routes/conditions.ts'
import type { Route, RouteFilters } from '../../src/publish/routes/filters.ts'
import { buildRouteIndex } from '../../src/publish/routes/route-index.ts'
import type { ClassifiedItem } from '../../src/publish/types.ts'
import { dice, someItem, words } from './some-items.ts'

const topicCount = 120

/** Items against routes in memory: through the index, beside asking every route about every item. */
export function measureMatching(itemCount: number, routeCount: number) {
  const random = dice(1)
  const rules = Array.from({ length: topicCount }, (_, n) => ruleOf(n, random))
  const items = Array.from({ length: itemCount }, (_, n) => someItem(n, random))

  const few = createClassifier(rules.slice(0, topicCount / 4))
  const fewMs = timed(() => items.forEach((item) => few.classify(item)))
  const all = createClassifier(rules)
  let classified: ClassifiedItem[] = []
  const allMs = timed(() => {
    classified = items.map((item) => ({ item, classification: all.classify(item) }))
  })

  const routes = Array.from({ length: routeCount * 2 }, (_, n) => routeOf(n, random))
  let found = 0
  const indexMs = (count: number): number => {
    const index = buildRouteIndex(routes.slice(0, count))
    return best(() => {
      found = 0
      for (const one of classified) found += index.match(one).length
    })
  }
  const quarter = indexMs(routeCount / 4)
  const full = indexMs(routeCount)
  const matches = found
  const double = indexMs(routeCount * 2)
  const scanMs = best(() => {
    const conditions = routes.slice(0, routeCount).map((route) => conditionsOf(route.filters))
    for (const one of classified) {
      const subject = subjectOf(one)
      for (const list of conditions) list.every((condition) => condition.holds(subject))
    }
  })
  return {
    figures: {
      classified_per_second: perSecond(itemCount, allMs),
      matched_items_per_second: perSecond(itemCount, full),
      matches: matches,
      microseconds_per_item: round((full * 1000) / itemCount),
      nanoseconds_per_item_and_extra_route: round(
        ((double - quarter) * 1e6) / itemCount / (routeCount * 1.75),
      ),
    },
    ratios: {
      index_against_every_route: round(scanMs / full),
      cost_of_4x_routes: round(full / quarter),
      cost_of_8x_routes: round(double / quarter),
      cost_of_4x_topic_rules: round(allMs / fewMs),
    },
  }
}

function ruleOf(n: number, random: () => number): TopicRule {
  return {
    id: String(n),
    name: `rule ${n}`,
    topic: `topic${n}`,
    keywords: Array.from({ length: 20 }, (_, k) => ({
      term: `${words[(n * 20 + k) % words.length] ?? 'x'}${k % 5 === 0 ? '*' : ''}`,
      weight: 0.5 + random(),
    })),
    priority: n % 7,
    minConfidence: 0.6,
    languages: [],
    enabled: true,
  }
}

/** The mix people use: by topic, by source, by place, by words, by category. */
function routeOf(n: number, random: () => number): Route {
  const kinds: RouteFilters[] = [
    { topics_any: [`topic${n % topicCount}`], min_quality: 30 },
    { sources: [`00000000-0000-7000-8000-${String(n % 500).padStart(12, '0')}`] },
    { near: { lat: 50.8 + random() * 2.5, lng: 3.5 + random() * 3.5, radius_km: 15 } },
    { text: `${words[n % words.length] ?? ''} ${words[(n * 7) % words.length] ?? ''}` },
    { tags_any: [words[(n * 3) % words.length] ?? ''], languages: ['nl'] },
  ]
  return {
    id: String(n),
    name: `route ${n}`,
    channelId: null,
    channelName: `route ${n}`,
    filters: kinds[n % kinds.length] ?? {},
    enabled: true,
    version: 1,
  }
}

function best(work: () => void): number {
  return Math.min(...Array.from({ length: 3 }, () => timed(work)))
}

/** Processor time, so that a busy machine does not blur the ratios. */
function timed(work: () => void): number {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

export function perSecond(count: number, ms: number): number {
  return Math.round((count * 1000) / ms)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

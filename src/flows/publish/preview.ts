import type { Db } from '../../db/pool.ts'
import { createClassifier } from '../../publish/classify/classify.ts'
import { listRules, type RuleFields } from '../../publish/classify/rules-store.ts'
import { findClassifications, recentItemIds } from '../../publish/classify/store.ts'
import { loadItems } from '../../publish/load-items.ts'
import { explain, type Answer } from '../../publish/routes/conditions.ts'
import { buildRouteIndex } from '../../publish/routes/route-index.ts'
import { isEmptyFilter, type RouteFilters } from '../../publish/routes/filters.ts'
import type { ClassifiedItem } from '../../publish/types.ts'

export interface RulePreview {
  modelVersion: string
  examined: number
  matched: number
  changed: number
  examples: { itemId: string; title: string; before: string[]; after: string[] }[]
}

const mostExamples = 20

/** What would change among recent items if this rule were saved (as a new one, or instead of `replaces`). */
export async function previewRule(
  db: Db,
  rule: RuleFields,
  replaces: string | null,
  limit: number,
): Promise<RulePreview> {
  const rules = await listRules(db)
  const id = replaces ?? 'new'
  const before = createClassifier(rules)
  const after = createClassifier([...rules.filter((one) => one.id !== id), { id, ...rule }])
  const items = await loadItems(db, await recentItemIds(db, limit))
  const preview: RulePreview = {
    modelVersion: after.modelVersion,
    examined: items.length,
    matched: 0,
    changed: 0,
    examples: [],
  }
  for (const item of items) {
    const was = before.classify(item).topics
    const is = after.classify(item).topics
    if (is.includes(rule.topic)) preview.matched++
    if (was.join('\n') === is.join('\n')) continue
    preview.changed++
    if (preview.examples.length < mostExamples)
      preview.examples.push({ itemId: item.id, title: item.title, before: was, after: is })
  }
  return preview
}

export interface DryRun {
  examined: number
  matched: number
  examples: { itemId: string; title: string; topics: string[]; quality: number }[]
}

/** Which recent items these filters would take. */
export async function dryRunRoute(db: Db, filters: RouteFilters, limit: number): Promise<DryRun> {
  const items = await classifiedItems(db, await recentItemIds(db, limit))
  const route = {
    id: '',
    name: '',
    channelId: null,
    channelName: '',
    filters,
    enabled: true,
    version: 1,
  }
  const index = buildRouteIndex([route])
  const matched = items.filter(
    (one) => one.item.status !== 'vanished' && index.match(one).length > 0,
  )
  return {
    examined: items.length,
    matched: matched.length,
    examples: matched.slice(0, mostExamples).map(({ item, classification }) => ({
      itemId: item.id,
      title: item.title,
      topics: classification.topics,
      quality: classification.quality,
    })),
  }
}

/** Why an item is or is not on a route; null when the item is unknown. */
export async function explainRoute(
  db: Db,
  filters: RouteFilters,
  itemId: string,
): Promise<{ matches: boolean; answers: Answer[] } | null> {
  const [one] = await classifiedItems(db, [itemId])
  if (one === undefined) return null
  const answers = explain(filters, one)
  if (one.item.status === 'vanished')
    answers.push({
      filter: 'status',
      passed: false,
      expected: 'not vanished',
      actual: 'vanished',
    })
  return {
    matches: !isEmptyFilter(filters) && answers.every((answer) => answer.passed),
    answers,
  }
}

async function classifiedItems(db: Db, ids: readonly string[]): Promise<ClassifiedItem[]> {
  const known = new Map((await findClassifications(db, ids)).map((row) => [row.itemId, row]))
  const items = new Map((await loadItems(db, ids)).map((item) => [item.id, item]))
  return ids.flatMap((id) => {
    const item = items.get(id)
    const classification = known.get(id)
    return item === undefined || classification === undefined ? [] : [{ item, classification }]
  })
}

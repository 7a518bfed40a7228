import { isObject, type HydrationState, type JsonObject } from './state.ts'

const MAX_NODES = 400_000
const MAX_DEPTH = 60
const MAX_INNER_JSON = 2_000_000

export interface Visited {
  object: JsonObject
  /** From the state's root, with `*` for places that differ between items. */
  path: string[]
}

interface Open {
  value: unknown
  path: string[]
}

/** Every object of a state tree once, nearest to the root first; JSON inside texts is opened as well. */
export function* walkState(
  state: HydrationState,
  budget = { nodes: MAX_NODES },
): Generator<Visited> {
  const seen = new Set<object>()
  let level: Open[] = [{ value: state.data, path: [] }]
  while (level.length > 0) {
    const next: Open[] = []
    for (const { value, path } of level) {
      const node = typeof value === 'string' ? innerJson(value) : value
      if (typeof node !== 'object' || node === null || seen.has(node)) continue
      if (budget.nodes-- <= 0) return
      seen.add(node)
      if (isObject(node)) yield { object: node, path }
      if (path.length >= MAX_DEPTH) continue
      if (Array.isArray(node)) {
        const inner = [...path, '*']
        for (const item of node) if (isBranch(item)) next.push({ value: item, path: inner })
      } else {
        for (const [key, item] of Object.entries(node)) {
          if (isBranch(item)) next.push({ value: item, path: [...path, generalKey(key)] })
        }
      }
    }
    level = next
  }
}

/** A key as it is written in a learned path: ids become wildcards, the type in front of one stays. */
export function generalKey(key: string): string {
  const typed = /^([A-Za-z_$][\w$]{0,60}):./.exec(key)
  if (typed?.[1] !== undefined) return `${typed[1]}:*`
  // Cache keys hold whole URLs and queries.
  if (key.length > 60 || /\/|\(\{/.test(key)) return '*'
  if (/^\d+$/.test(key) || /^[\da-f]{8}-?[\da-f-]{4,}$/i.test(key)) return '*'
  return key
    .replaceAll('%', '%25')
    .replaceAll('.', '%2E')
    .replaceAll('|', '%7C')
    .replaceAll('*', '%2A')
}

export function innerJson(text: string): unknown {
  if (text.length > MAX_INNER_JSON) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isBranch(value: unknown): boolean {
  if (typeof value === 'object') return value !== null
  return typeof value === 'string' && value.length > 60 && /^\s*(?:\{\s*"|\[\s*\{)/.test(value)
}

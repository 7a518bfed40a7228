import { generalKey, innerJson } from './walk-state.ts'
import { isObject, type HydrationState, type JsonObject } from './state.ts'

const MAX_FOUND = 20_000

/** The path of a group of items: which state, and the keys down to each of them. */
export function writePath(state: HydrationState, path: readonly string[]): string {
  return [`${state.framework}:${generalKey(state.path)}`, ...path].join('.')
}

/** The objects at each part of a learned path, without looking anywhere else. */
export function followPath(
  states: readonly HydrationState[],
  learned: string,
): { path: string; objects: JsonObject[] }[] {
  return learned.split(' | ').map((path) => ({ path, objects: followOne(states, path) }))
}

function followOne(states: readonly HydrationState[], learned: string): JsonObject[] {
  const [head, ...keys] = learned.split('.')
  let level: unknown[] = states
    .filter((state) => `${state.framework}:${generalKey(state.path)}` === head)
    .map((state) => state.data)
  for (const key of keys) {
    const next: unknown[] = []
    for (const value of level) {
      for (const inner of step(value, key)) next.push(inner)
      if (next.length > MAX_FOUND) break
    }
    level = next
  }
  return level.map(opened).filter(isObject)
}

function step(value: unknown, key: string): unknown[] {
  const node = opened(value)
  if (Array.isArray(node)) return key === '*' ? node.slice(0, MAX_FOUND) : []
  if (!isObject(node)) return []
  return Object.entries(node).flatMap(([name, inner]) => (generalKey(name) === key ? [inner] : []))
}

function opened(value: unknown): unknown {
  return typeof value === 'string' ? innerJson(value) : value
}

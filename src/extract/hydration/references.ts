import { isObject, type HydrationState, type JsonObject } from './state.ts'

const MAX_DEPTH = 5
const MAX_LOOKED_AT = 5_000

/** Follows the references of normalized caches (`{"__ref": "Venue:12"}`) to the objects they name. */
export function createDereference(states: readonly HydrationState[]): (value: unknown) => unknown {
  let caches: JsonObject[] | undefined
  return (value) => {
    const one: unknown = Array.isArray(value) ? value[0] : value
    const key = referenceKey(one)
    if (key === null) return value
    caches ??= findCaches(states)
    const cache = caches.find((candidate) => Object.hasOwn(candidate, key))
    return cache === undefined ? value : cache[key]
  }
}

function referenceKey(value: unknown): string | null {
  if (!isObject(value)) return null
  if (typeof value['__ref'] === 'string') return value['__ref']
  return value['type'] === 'id' && typeof value['id'] === 'string' ? value['id'] : null
}

function findCaches(states: readonly HydrationState[]): JsonObject[] {
  const found: JsonObject[] = []
  let left = MAX_LOOKED_AT
  const look = (value: unknown, depth: number): void => {
    if (!isObject(value) || depth > MAX_DEPTH || left-- <= 0) return
    if (Object.hasOwn(value, 'ROOT_QUERY')) found.push(value)
    else for (const inner of Object.values(value)) look(inner, depth + 1)
  }
  for (const state of states) look(state.data, 0)
  return found
}

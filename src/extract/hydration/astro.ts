import { isObject } from './state.ts'

const MAX_DEPTH = 200

/** Decodes the props of an Astro island, in which every value is a pair of type and content. */
export function decodeAstroProps(props: unknown): unknown {
  if (!isObject(props)) return props
  return mapValues(props, 0)
}

function decode(pair: unknown, depth: number): unknown {
  if (!Array.isArray(pair) || depth > MAX_DEPTH) return pair
  const [type, value] = pair as unknown[]
  if (type === 0) return isObject(value) ? mapValues(value, depth + 1) : value
  if (type === 1 || type === 5)
    return Array.isArray(value) ? value.map((item) => decode(item, depth + 1)) : value
  if (type === 4 && Array.isArray(value)) {
    const entries = value.map((entry) => decode(entry, depth + 1))
    return Object.fromEntries(
      entries
        .filter((entry) => Array.isArray(entry))
        .map(([key, inner]) => [String(key), inner as unknown]),
    )
  }
  return value
}

function mapValues(object: Record<string, unknown>, depth: number): Record<string, unknown> {
  const decoded: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(object)) {
    if (key !== '__proto__') decoded[key] = decode(value, depth)
  }
  return decoded
}

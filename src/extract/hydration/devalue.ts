import { isObject } from './state.ts'

const HOLES = -2
const SPECIAL: ReadonlyMap<number, unknown> = new Map([
  [-1, null],
  [-3, null],
  [-4, null],
  [-5, null],
  [-6, 0],
])
const MAX_DEPTH = 500

/** Whether a JSON value is a flattened graph: an array whose entries point at each other by index. */
export function isDevalue(value: unknown): value is unknown[] {
  if (!Array.isArray(value) || value.length === 0) return false
  const first: unknown = value[0]
  if (isObject(first)) {
    const inner = Object.values(first)
    return inner.length > 0 && inner.every((index) => isIndex(index, value.length))
  }
  return (
    Array.isArray(first) &&
    first.length > 0 &&
    (typeof first[0] === 'string' ? first.length === 2 : true) &&
    first.every((part, i) => (i === 0 && typeof part === 'string') || isIndex(part, value.length))
  )
}

/**
 * Unfolds devalue's flat form. Types we do not know (Nuxt and its plugins add their own) are wrappers
 * around the value they point to, so they are looked through instead of refused.
 */
export function unflattenDevalue(values: readonly unknown[]): unknown {
  const done = new Map<number, unknown>()
  return at(0, 0)

  function at(index: unknown, depth: number): unknown {
    if (typeof index !== 'number') return index ?? null
    if (index < 0) return SPECIAL.get(index) ?? null
    if (done.has(index)) return done.get(index)
    if (depth > MAX_DEPTH) return null
    const value = values[index]
    if (Array.isArray(value)) {
      const [tag, ...parts] = value as unknown[]
      return typeof tag === 'string' ? typed(index, tag, parts, depth) : list(index, value, depth)
    }
    if (!isObject(value)) {
      done.set(index, value ?? null)
      return value ?? null
    }
    const object: Record<string, unknown> = {}
    done.set(index, object)
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '__proto__') object[key] = at(inner, depth + 1)
    }
    return object
  }

  function list(index: number, parts: readonly unknown[], depth: number): unknown[] {
    const array: unknown[] = []
    done.set(index, array)
    for (const part of parts) if (part !== HOLES) array.push(at(part, depth + 1))
    return array
  }

  function typed(index: number, tag: string, parts: readonly unknown[], depth: number): unknown {
    switch (tag) {
      case 'Date':
      case 'URL':
      case 'BigInt':
      case 'RegExp':
      case 'URLSearchParams':
        done.set(index, parts[0] ?? null)
        return parts[0] ?? null
      case 'Set':
        return list(index, parts, depth)
      case 'Map':
      case 'null': {
        const object: Record<string, unknown> = {}
        done.set(index, object)
        for (let i = 0; i + 1 < parts.length; i += 2) {
          const key = String(tag === 'Map' ? at(parts[i], depth + 1) : parts[i])
          if (key !== '__proto__') object[key] = at(parts[i + 1], depth + 1)
        }
        return object
      }
      default: {
        done.set(index, null)
        const inner = emptied(tag, at(parts[0], depth + 1))
        done.set(index, inner)
        return inner
      }
    }
  }
}

/** Nuxt writes falsy refs as the JSON text of their value. */
function emptied(tag: string, value: unknown): unknown {
  if (!tag.startsWith('Empty') || typeof value !== 'string') return value
  if (value === '_') return null
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function isIndex(value: unknown, length: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= -7 && value < length
}

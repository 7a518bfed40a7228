import { isObject } from './state.ts'

const MAX_DEPTH = 500

/** Unfolds the stream Remix and React Router leave in the page: lines of flat arrays, later ones adding to the first. */
export function readTurboStream(text: string): unknown {
  const values: unknown[] = []
  for (const line of text.split('\n')) {
    const json = line.replace(/^[PE]?\d*:?(?=[[{])/, '')
    if (json === '') continue
    try {
      const parsed: unknown = JSON.parse(json)
      if (Array.isArray(parsed)) for (const value of parsed) values.push(value)
    } catch {
      continue
    }
  }
  return values.length === 0 ? null : unfold(values)
}

function unfold(values: readonly unknown[]): unknown {
  const done = new Map<number, unknown>()
  return at(0, 0)

  function at(index: unknown, depth: number): unknown {
    if (typeof index !== 'number' || index < 0 || depth > MAX_DEPTH) return null
    if (done.has(index)) return done.get(index)
    const value = values[index]
    if (Array.isArray(value)) return fromArray(index, value, depth)
    if (!isObject(value)) {
      done.set(index, value ?? null)
      return value ?? null
    }
    const object: Record<string, unknown> = {}
    done.set(index, object)
    for (const [key, inner] of Object.entries(value)) {
      const name = /^_\d+$/.test(key) ? String(at(Number(key.slice(1)), depth + 1)) : key
      if (name !== '__proto__') object[name] = at(inner, depth + 1)
    }
    return object
  }

  function fromArray(index: number, value: readonly unknown[], depth: number): unknown {
    const [tag, ...parts] = value
    if (typeof tag !== 'string') return list(index, value, depth)
    if (tag === 'D') {
      const date = typeof parts[0] === 'number' ? new Date(parts[0]) : null
      return date === null || Number.isNaN(date.getTime()) ? null : date.toISOString()
    }
    if (tag === 'S') return list(index, parts, depth)
    if (tag === 'M' || tag === 'N') {
      const object: Record<string, unknown> = {}
      done.set(index, object)
      for (let i = 0; i + 1 < parts.length; i += 2) {
        const key = String(at(parts[i], depth + 1))
        if (key !== '__proto__') object[key] = at(parts[i + 1], depth + 1)
      }
      return object
    }
    if (tag === 'P' || tag === 'SingleFetchClassInstance' || tag === 'SanitizedError') {
      done.set(index, null)
      const inner = at(parts[0], depth + 1)
      done.set(index, inner)
      return inner
    }
    return parts[0] ?? null
  }

  function list(index: number, parts: readonly unknown[], depth: number): unknown[] {
    const array: unknown[] = []
    done.set(index, array)
    for (const part of parts) array.push(at(part, depth + 1))
    return array
  }
}

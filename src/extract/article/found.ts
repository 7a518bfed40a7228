import type { FieldOrigin } from '../types.ts'

/** A value with where it stood on the page. */
export interface Found {
  value: string
  path: string
  confidence: number
}

export function found(value: string, path: string, confidence: number): Found {
  return { value, path, confidence }
}

export function originOf({ value, path, confidence }: Found): FieldOrigin {
  return { strategy: 'article', path, confidence, snippet: value.slice(0, 120) }
}

/** The first candidate there is; the others are not looked for. */
export function firstOf(...candidates: (() => Found | null)[]): Found | null {
  for (const candidate of candidates) {
    const value = candidate()
    if (value !== null) return value
  }
  return null
}

/** The first of these meta keys that has a value a check accepts. */
export function fromMeta(
  metas: ReadonlyMap<string, string>,
  keys: readonly string[],
  confidence: number,
  accept: (value: string) => string | null = (value) => value,
): Found | null {
  for (const key of keys) {
    const raw = metas.get(key)
    const value = raw === undefined ? null : accept(raw)
    if (value !== null) return found(value, `meta[${key}]`, confidence)
  }
  return null
}

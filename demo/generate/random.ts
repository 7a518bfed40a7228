import type { Random } from '../types.ts'

/** A small seeded generator (mulberry32): same seed, same numbers, on every machine. */
export function seededRandom(seed: number | string): Random {
  const base = typeof seed === 'number' ? String(seed) : seed
  let state = hashText(base)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    pick: (list) => at(list, int(0, list.length - 1)),
    shuffle: (list) => {
      const copy = [...list]
      for (let i = copy.length - 1; i > 0; i--) {
        const j = int(0, i)
        const moved = at(copy, i)
        copy[i] = at(copy, j)
        copy[j] = moved
      }
      return copy
    },
    fork: (name) => seededRandom(`${base}/${name}`),
  }
}

/** FNV-1a over UTF-16 units. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

export function at<T>(list: readonly T[], index: number): T {
  const value = list[index]
  if (value === undefined) throw new RangeError(`no element ${index} in a list of ${list.length}`)
  return value
}

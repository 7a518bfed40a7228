import { remember } from '../../kernel/remember.ts'
import { genericWords } from './glossary.ts'

/** Hashed features with their weights, of length one. */
export type Vector = ReadonlyMap<number, number>

const genericWeight = 0.45
const gramShare = 0.55

/** A local text vector: words as they are, and their 3- and 4-letter pieces so that spellings meet half way. */
function vectorOf(words: readonly string[]): Vector {
  const vector = new Map<number, number>()
  const add = (feature: string, weight: number): void => {
    const key = hash(feature)
    vector.set(key, (vector.get(key) ?? 0) + weight)
  }
  for (const word of words) {
    const weight = weightOf(word)
    add(word, weight)
    if (word.length < 4 || /\d/.test(word)) continue
    const grams = gramsOf(word)
    for (const gram of grams) add(gram, (weight * gramShare) / Math.sqrt(grams.length))
  }
  let length = 0
  for (const weight of vector.values()) length += weight * weight
  const scale = length === 0 ? 0 : 1 / Math.sqrt(length)
  for (const [key, weight] of vector) vector.set(key, weight * scale)
  return vector
}

export const wordVector = remember(20_000, (word: string): Vector => vectorOf([word]))

export function cosine(a: Vector, b: Vector): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  // Not by its entries: each would be an array of its own.
  small.forEach((weight, key) => {
    sum += weight * (large.get(key) ?? 0)
  })
  return Math.min(1, sum)
}

export function weightOf(word: string): number {
  return genericWords.has(word) ? genericWeight : 1
}

function gramsOf(word: string): string[] {
  const padded = `^${word}$`
  const grams: string[] = []
  for (const size of [3, 4]) {
    for (let i = 0; i + size <= padded.length; i++) grams.push(padded.slice(i, i + size))
  }
  return grams
}

function hash(feature: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < feature.length; i++) h = Math.imul(h ^ feature.charCodeAt(i), 0x01000193)
  return h >>> 0
}

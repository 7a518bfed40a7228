import type { Block } from '../../src/extract/article/blocks.ts'

// Turns an expected text into labels: which share of a block's words belongs to it.

export interface Labels {
  label: Float32Array
  /** 0: nothing is known about the block. */
  weight: Float32Array
}

const maxCells = 120_000_000

/** Aligns the page's words with the expected words (longest common subsequence) and reads off each block's share. */
export function labelsFromText(blocks: readonly Block[], expected: string): Labels {
  const wanted = tokens(expected)
  const own = blocks.map((block) => tokens(block.text))
  const label = new Float32Array(blocks.length)
  const weight = new Float32Array(blocks.length)
  const ids = new Map<string, number>()
  const idOf = (word: string): number => {
    let id = ids.get(word)
    if (id === undefined) ids.set(word, (id = ids.size))
    return id
  }
  const page = Int32Array.from(own.flat(), idOf)
  const target = Int32Array.from(wanted, idOf)
  const matched =
    page.length * target.length > maxCells
      ? new Uint8Array(page.length).fill(2)
      : align(page, target)
  const shingles = new Set<string>()
  for (let i = 0; i + 4 <= wanted.length; i++) shingles.add(wanted.slice(i, i + 4).join(' '))
  const seen = new Set<string>()
  let at = 0
  const scale = Math.max(40, wanted.length)
  own.forEach((words, i) => {
    let hits = 0
    for (let w = 0; w < words.length; w++) if (matched[at + w] === 1) hits++
    at += words.length
    let share = words.length === 0 ? 0 : hits / words.length
    if (share < 0.5 && words.length >= 6 && !seen.has(words.join(' '))) {
      let inside = 0
      for (let w = 0; w + 4 <= words.length; w++)
        if (shingles.has(words.slice(w, w + 4).join(' '))) inside++
      share = Math.max(share, inside / (words.length - 3))
    }
    if (share > 0.8) seen.add(words.join(' '))
    // Scattered matches of common words are chance.
    label[i] = share < 0.4 && words.length < 30 ? 0 : share
    weight[i] = Math.min(1, words.length / scale)
  })
  return { label, weight }
}

export function labelsFromSegments(
  blocks: readonly Block[],
  wanted: string[],
  unwanted: string[],
): Labels {
  const label = new Float32Array(blocks.length)
  const weight = new Float32Array(blocks.length)
  const flat = (text: string): string => text.replace(/\s+/gu, ' ').trim()
  const mark = (segments: string[], value: number): void => {
    for (const raw of segments) {
      const segment = flat(raw)
      const hits = blocks.filter((block) => flat(block.text).includes(segment))
      for (const { index } of hits) {
        label[index] = value
        weight[index] = 1 / 6
      }
    }
  }
  mark(unwanted, 0)
  mark(wanted, 1)
  return { label, weight }
}

function align(page: Int32Array, target: Int32Array): Uint8Array {
  const width = target.length + 1
  const moves = new Uint8Array((page.length + 1) * width)
  let above = new Float32Array(width)
  let row = new Float32Array(width)
  for (let i = 1; i <= page.length; i++) {
    for (let j = 1; j < width; j++) {
      const diagonal = page[i - 1] === target[j - 1]
      // A match that continues a run is worth a little more, so alignments stay together.
      const joined = diagonal
        ? (above[j - 1] ?? 0) + 1 + (moves[(i - 1) * width + j - 1] === 3 ? 0.3 : 0)
        : -1
      if (diagonal && joined >= (above[j] ?? 0) && joined >= (row[j - 1] ?? 0)) {
        row[j] = joined
        moves[i * width + j] = 3
      } else if ((above[j] ?? 0) >= (row[j - 1] ?? 0)) {
        row[j] = above[j] ?? 0
        moves[i * width + j] = 1
      } else {
        row[j] = row[j - 1] ?? 0
        moves[i * width + j] = 2
      }
    }
    ;[above, row] = [row, above]
    row.fill(0)
  }
  const matched = new Uint8Array(page.length)
  let i = page.length
  let j = target.length
  while (i > 0 && j > 0) {
    const move = moves[i * width + j]
    if (move === 3) {
      matched[i - 1] = 1
      i--
      j--
    } else if (move === 1) i--
    else j--
  }
  return matched
}

export function tokens(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}

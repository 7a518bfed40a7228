import { tokensOf } from '../tokens.ts'

export interface Words {
  /** Each a word or a phrase; all must occur. */
  all: string[][]
  without: string[][]
  rarest: string | null
}

/** `jazz "open lucht" -gratis`: words, phrases, and what must not occur. */
export function parseWords(text: string): Words {
  const all: string[][] = []
  const without: string[][] = []
  for (const [, minus, quoted, bare] of text.matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)) {
    const phrase = tokensOf(quoted ?? bare ?? '')
    if (phrase.length > 0) (minus === '-' ? without : all).push(phrase)
  }
  const longest = all.flat().sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  return { all, without, rarest: longest[0] ?? null }
}

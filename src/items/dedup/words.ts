import { createRequire } from 'node:module'
import type snowball from 'snowball-stemmers'
import { remember } from '../../kernel/remember.ts'
import { glossary, stopWords } from './glossary.ts'

const require = createRequire(import.meta.url)
const shortestPart = 3

/** The words of a text in the form in which Dutch and English meet: stemmed, translated where known, compounds apart. */
export function meaningfulWords(text: string): string[] {
  return meaningsOf(foldedWords(text))
}

/** The same of words that are folded already. */
export function meaningsOf(folded: readonly string[]): string[] {
  const words: string[] = []
  for (const word of folded) if (!stopWords.has(word)) words.push(...meaningOf(word))
  return words
}

export function foldedWords(text: string): string[] {
  // Plain letters need none of what all the letters of the world need.
  if (/^[\n\r\t -~]*$/.test(text))
    return (
      text
        .toLowerCase()
        .replaceAll(/['`]/g, '')
        .replaceAll(/(\d)[.,](\d)/g, '$1$2')
        .match(/[a-z0-9]+/g) ?? []
    )
  return (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .toLowerCase()
      .replaceAll(/['’`´]/g, '')
      .replaceAll(/(\d)[.,](\d)/g, '$1$2')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

const meaningOf = remember(
  50_000,
  (word: string): readonly string[] => lookUp(word) ?? compound(word) ?? [stem(word)],
)

function lookUp(word: string): readonly string[] | undefined {
  return glossary.get(word)?.map(stem)
}

/** "zomeravondconcert": parts that are all known, with the linking s or en between them. */
function compound(word: string): readonly string[] | undefined {
  for (let at = word.length - shortestPart; at >= shortestPart; at--) {
    const tail = lookUp(word.slice(at))
    if (tail === undefined) continue
    const head = word.slice(0, at)
    for (const link of ['', 's', 'en', 'e']) {
      if (link !== '' && !head.endsWith(link)) continue
      const bare = head.slice(0, head.length - link.length)
      const meaning = bare.length < shortestPart ? undefined : (lookUp(bare) ?? compound(bare))
      if (meaning !== undefined) return [...meaning, ...tail]
    }
    // An unknown head before a known tail of some length: "blokfluitconcert".
    if (word.length - at >= 5 && head.length >= 4) return [stem(head), ...tail]
  }
  return undefined
}

let loaded: Record<'dutch' | 'english', snowball.Stemmer> | null = null

/** Loaded by the first word: a process that compares nothing does without. */
function stemmers(): Record<'dutch' | 'english', snowball.Stemmer> {
  if (loaded !== null) return loaded
  const { newStemmer } = require('snowball-stemmers') as typeof snowball
  loaded = { dutch: newStemmer('dutch'), english: newStemmer('english') }
  return loaded
}

function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  const { english, dutch } = stemmers()
  const once = english.stem(word)
  return once === word ? dutch.stem(word) : once
}

import { createRequire } from 'node:module'
import { LRUCache } from 'lru-cache'
import type snowball from 'snowball-stemmers'
import { glossary, stopWords } from './glossary.ts'

const require = createRequire(import.meta.url)
const meanings = new LRUCache<string, readonly string[]>({ max: 50_000 })
const shortestPart = 3

/** The words of a text in the form in which Dutch and English meet: stemmed, translated where known, compounds apart. */
export function meaningfulWords(text: string): string[] {
  return foldedWords(text).flatMap((word) => (stopWords.has(word) ? [] : meaningOf(word)))
}

export function foldedWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/['’`´]/g, '')
    .replaceAll(/(\d)[.,](\d)/g, '$1$2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

function meaningOf(word: string): readonly string[] {
  const known = meanings.get(word)
  if (known !== undefined) return known
  const meaning = lookUp(word) ?? compound(word) ?? [stem(word)]
  meanings.set(word, meaning)
  return meaning
}

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

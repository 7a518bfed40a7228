import { tokensOf, tokensOfItem } from '../tokens.ts'
import type { ItemView, TopicMatch } from '../types.ts'

export interface Keyword {
  term: string
  /** Negative speaks against the topic. */
  weight: number
}

export interface TopicRule {
  id: string
  name: string
  topic: string
  keywords: Keyword[]
  priority: number
  minConfidence: number
  languages: string[]
  enabled: boolean
}

export interface TopicMatcher {
  match(item: ItemView): TopicMatch[]
}

export const mostTopics = 5
/** A word in the title says more than one in the text. */
const titleFactor = 2
const mostBodyTokens = 5000

interface Term {
  rule: number
  term: string
  weight: number
  /** The tokens after the first; the last may be a prefix. */
  rest: string[]
  prefix: boolean
}

/**
 * All terms of all rules in one map by their first word: a text costs its number of words and hits, whatever the
 * number of rules.
 */
export function compileTopics(rules: readonly TopicRule[]): TopicMatcher {
  const active = rules.filter((rule) => rule.enabled)
  const words = new Map<string, Term[]>()
  const prefixes = new Map<string, Term[]>()
  for (const [index, rule] of active.entries()) {
    for (const { term, weight } of rule.keywords) {
      const [first, ...rest] = tokensOf(term)
      if (first === undefined) continue
      const prefix = term.trim().endsWith('*')
      const map = prefix && rest.length === 0 ? prefixes : words
      const entry: Term = { rule: index, term, weight, rest, prefix }
      const terms = map.get(first)
      if (terms === undefined) map.set(first, [entry])
      else terms.push(entry)
    }
  }
  const prefixLengths = [...new Set([...prefixes.keys()].map((key) => key.length))]

  const scan = (tokens: readonly string[], hit: (term: Term) => void): void => {
    for (const [at, token] of tokens.entries()) {
      for (const term of words.get(token) ?? []) if (follows(tokens, at, term)) hit(term)
      for (const length of prefixLengths) {
        if (token.length < length) continue
        for (const term of prefixes.get(token.slice(0, length)) ?? []) hit(term)
      }
    }
  }

  return {
    match: (item) => {
      const counts = new Map<Term, { title: number; body: number }>()
      const count = (place: 'title' | 'body') => (term: Term) => {
        const seen = counts.get(term) ?? { title: 0, body: 0 }
        seen[place]++
        counts.set(term, seen)
      }
      const { title, body } = tokensOfItem(item)
      scan(title, count('title'))
      scan(body.length > mostBodyTokens ? body.slice(0, mostBodyTokens) : body, count('body'))
      for (const name of [...item.tags, item.category ?? '']) scan(tokensOf(name), count('body'))
      return topicsFrom(counts, active, item.language)
    },
  }
}

function follows(tokens: readonly string[], at: number, term: Term): boolean {
  return term.rest.every((word, index) => {
    const token = tokens[at + 1 + index]
    const open = term.prefix && index === term.rest.length - 1
    return token !== undefined && (open ? token.startsWith(word) : token === word)
  })
}

function topicsFrom(
  counts: ReadonlyMap<Term, { title: number; body: number }>,
  rules: readonly TopicRule[],
  language: string,
): TopicMatch[] {
  const scores = new Map<number, { score: number; terms: string[] }>()
  for (const [term, seen] of counts) {
    const found = scores.get(term.rule) ?? { score: 0, terms: [] }
    // The tenth repeat adds little to the first three.
    const strength =
      (seen.title > 0 ? titleFactor : 1) * (1 + Math.log2(seen.title + seen.body) / 2)
    found.score += term.weight * strength
    found.terms.push(term.term)
    scores.set(term.rule, found)
  }
  const best = new Map<string, TopicMatch & { priority: number }>()
  for (const [index, { score, terms }] of scores) {
    const rule = rules[index]
    if (rule === undefined || score <= 0) continue
    if (rule.languages.length > 0 && !rule.languages.includes(language)) continue
    const confidence = Math.round((1 - Math.exp(-score / 2)) * 1000) / 1000
    if (confidence < rule.minConfidence) continue
    const known = best.get(rule.topic)
    if (known !== undefined && known.confidence >= confidence) continue
    best.set(rule.topic, { topic: rule.topic, confidence, terms, priority: rule.priority })
  }
  return [...best.values()]
    .sort(
      (a, b) =>
        b.priority - a.priority || b.confidence - a.confidence || (a.topic < b.topic ? -1 : 1),
    )
    .slice(0, mostTopics)
    .map(({ topic, confidence, terms }) => ({ topic, confidence, terms: terms.toSorted() }))
}

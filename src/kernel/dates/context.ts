import { dayNumber } from './calendar.ts'
import { lexiconFor, NOTHING, type PartOfDay, type Unit } from './lexicon.ts'
import { type Token, tokenize } from './tokens.ts'
import type { DateOptions } from './types.ts'

/** Everything a rule may look at. */
export interface Context {
  tokens: Token[]
  /** Day number and minute of the reference. */
  ref: number
  refMinute: number
  monthFirst: boolean
  lang: string
}

export interface Parsed<T> {
  value: T
  next: number
}

/** One end of a date as far as the text states it; `span` when it is already known exactly. */
export interface Part {
  y?: number
  m?: number
  d?: number
  wd?: number
  span?: Span
}

/** Days from `from` to `to`, both included; minutes only when the phrase itself is that exact. */
export interface Span {
  from: number
  to: number
  grain: Unit
  fromMinute?: number
  toMinute?: number
  /** The day that counts when the phrase is one end of a range ("from the end of March"). */
  point?: number
}

export interface DayValue {
  a: Part
  /** The other end when one phrase holds both ("20 en 21 mei"). */
  b: Part | null
  certainty: number
  /** "zaterdagavond 14 mei": said inside the day phrase. */
  part?: PartOfDay
}

const END: Token = {
  kind: 'mark',
  text: '',
  start: 0,
  end: 0,
  value: Number.NaN,
  spaced: true,
  means: NOTHING,
}

export function contextFor(text: string, options: DateOptions): Context {
  const lang = languageOf(options.lang)
  const [y = 1970, m = 1, d = 1, hour = 0, minute = 0] = (options.ref.match(/\d+/g) ?? []).map(
    Number,
  )
  return {
    tokens: tokenize(text, lexiconFor(lang)),
    ref: dayNumber(y, m, d),
    refMinute: hour * 60 + minute,
    monthFirst: lang === 'en',
    lang,
  }
}

export function tokenAt(c: Context, i: number): Token {
  return c.tokens[i] ?? END
}

export function isMark(c: Context, i: number, marks: string): boolean {
  const token = tokenAt(c, i)
  return token.kind === 'mark' && token.text !== '' && marks.includes(token.text)
}

export function isWord(c: Context, i: number, ...words: string[]): boolean {
  const token = tokenAt(c, i)
  return token.kind === 'word' && words.includes(token.text)
}

/** The position after these tokens when they stand here, else -1. */
export function after(c: Context, i: number, phrase: string): number {
  if (!phrase.startsWith(tokenAt(c, i).text) || i >= c.tokens.length) return -1
  const parts = phrase.split(' ')
  return parts.every((part, k) => tokenAt(c, i + k).text === part) ? i + parts.length : -1
}

export function skipArticles(c: Context, i: number): number {
  let j = i
  while (tokenAt(c, j).means.article === true) j++
  return j
}

/** Steps over "of", "van de", "in the" before a month or a period. */
export function skipOf(c: Context, i: number): number {
  const j = isMark(c, i, ',') ? i + 1 : i
  return skipArticles(c, tokenAt(c, j).means.of === true ? j + 1 : j)
}

export function spanOf(from: number, to: number, grain: Unit): Span {
  return { from, to, grain }
}

export function day(span: Span, certainty: number): DayValue {
  return { a: { span }, b: null, certainty }
}

function languageOf(lang: string | null | undefined): string {
  const base = lang?.slice(0, 2).toLowerCase() ?? 'nl'
  return ['nl', 'en', 'de', 'fr', 'es', 'it'].includes(base) ? base : 'nl'
}

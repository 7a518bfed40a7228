import { DUTCH } from './lexicon-nl.ts'
import { ENGLISH } from './lexicon-en.ts'
import { OTHERS } from './lexicon-others.ts'

export type Unit =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'businessday'
  | 'week'
  | 'workweek'
  | 'fortnight'
  | 'weekend'
  | 'month'
  | 'quarter'
  | 'year'
  | 'decade'
  | 'century'

export type PartOfDay = 'morning' | 'afternoon' | 'evening' | 'night' | 'lunch'

/** What a word can mean in a date. One word can mean several things; the rules choose. */
export interface Meaning {
  month?: number
  weekday?: number
  /** A short or ambiguous form: it needs company to be a date in running text. */
  weak?: boolean
  cardinal?: number
  ordinal?: number
  unit?: Unit
  plural?: boolean
  /** Days from today: tomorrow is 1. */
  offset?: number
  part?: PartOfDay
  /** Minute of the day: noon is 720. */
  clock?: number
  which?: 'this' | 'coming' | 'next' | 'last'
  /** Joins two ends of a range; `incl` says that the last day counts. */
  range?: 'open' | 'incl'
  list?: boolean
  /** Opens a range: "van", "between". */
  opener?: 'from' | 'between' | 'since'
  /** May stand between the parts of one date without changing it. */
  glue?: boolean
  /** Announces a clock time: "om", "at", "aanvang". */
  at?: boolean
  label?: 'start' | 'doors' | 'end'
  article?: boolean
  of?: boolean
  /** Direction from now: "geleden" is before, "later" is after. */
  shift?: 'before' | 'after'
  within?: 'in' | 'span'
  edge?: 'begin' | 'middle' | 'end'
  meridiem?: 'am' | 'pm'
  oclock?: boolean
  half?: boolean
  quarterHour?: boolean
  past?: boolean
  to?: boolean
  holiday?: string
  /** The first word of a longer phrase that some rule knows. */
  phrase?: boolean
}

export const NOTHING: Meaning = {}

export type Words = Record<string, Meaning>

export interface Lexicon {
  get(word: string): Meaning | undefined
  /** Dutch parts of the day that are written onto a weekday. */
  suffixes: readonly string[]
}

const SUFFIXES = ['voormiddag', 'namiddag', 'ochtend', 'morgen', 'middag', 'avond', 'nacht']

const cache = new Map<string, Lexicon>()

/** The words of a language over those of English; Dutch over English when the language is unknown. */
export function lexiconFor(lang: string): Lexicon {
  const known = cache.get(lang)
  if (known !== undefined) return known
  const layers =
    lang === 'en' ? [ENGLISH] : [OTHERS[lang] ?? {}, lang === 'nl' ? DUTCH : {}, ENGLISH]
  const words = new Map<string, Meaning>()
  for (const layer of layers.reverse()) {
    for (const [word, means] of Object.entries(layer)) words.set(word, means)
  }
  const lexicon: Lexicon = {
    get: (word) => words.get(word),
    suffixes: lang === 'nl' ? SUFFIXES : [],
  }
  cache.set(lang, lexicon)
  return lexicon
}

import snowball from 'snowball-stemmers'
import { remember } from '../../kernel/remember.ts'
import { fold } from '../clean.ts'
import { categories, type Category } from '../types.ts'
import { categoryWords, forms, shortParts, silentWords } from './rules.ts'

export interface Classified {
  category: Category
  /** No rule spoke, or two categories are about equal. */
  unsure: boolean
  /** What decided, for people who ask why. */
  words: string[]
}

interface Vote {
  category: Category
  weight: number
}

const titleFactor = 3
const tagFactor = 3
/** Where it is hints at what it is, but a sports hall has blood donors too: never enough by itself. */
const venueFactor = 0.5
/** A part of a compound says a little less than the word itself. */
const partFactor = 0.75
const mostDescriptionChars = 700
/** One word said often is still one word. */
const mostPerWord = 2
const clearMargin = 1.25
const leastScore = 2
const shortestCompoundPart = 5
const shortestStemmed = 5
/** Whom it is for outranks what it is: "kinderconcert". */
const forFamilies = /^(?:kinder|kleuter|peuter|baby|jeugd|familie|gezins|speelgoed|voorlees)/

const dutch = snowball.newStemmer('dutch')
const english = snowball.newStemmer('english')
const votesByWord = loadWords()
const pairStarts = new Set(
  [...votesByWord.keys()].flatMap((key) =>
    key.includes('-') ? [key.slice(0, key.indexOf('-'))] : [],
  ),
)

export interface Told {
  title: string
  description: string
  tags: readonly string[]
  venue: string
}

/** Exactly one of ten categories, by weighted words: title and tags first, then the description, then the place. */
export function classify({ title, description, tags, venue }: Told): Classified {
  const scores = new Map<Category, number>()
  const words: { word: string; weight: number }[] = []
  const read = (text: string, factor: number): void => {
    const seen = new Map<string, number>()
    for (const word of wordsOf(text)) {
      const votes = votesFor(word)
      if (votes.length === 0) continue
      const times = (seen.get(word) ?? 0) + 1
      seen.set(word, times)
      if (times > mostPerWord) continue
      for (const { category, weight } of votes) {
        scores.set(category, (scores.get(category) ?? 0) + weight * factor)
        words.push({ word, weight: weight * factor })
      }
    }
  }
  read(withoutPlace(title, venue), titleFactor)
  read(tags.join(' . '), tagFactor)
  read(description.slice(0, mostDescriptionChars), 1)
  read(venue, venueFactor)

  // Among equals the one that was told first: sorting keeps the order in which they were met.
  const [first, second] = [...scores].sort((a, b) => b[1] - a[1])
  if (first === undefined || first[1] < leastScore)
    return { category: 'community', unsure: true, words: [] }
  return {
    category: first[0],
    unsure: second !== undefined && first[1] < second[1] * clearMargin,
    words: words
      .sort((a, b) => b.weight - a.weight)
      .slice(0, 5)
      .map(({ word }) => word),
  }
}

/** "Bridge in Sporthal De Meent" is bridge. */
function withoutPlace(title: string, venue: string): string {
  return venue.length < 3 ? title : title.replace(venue, ' . ')
}

/** Single words, and each pair of neighbours for entries such as "open mic". */
function wordsOf(text: string): string[] {
  const whole = text.includes('-') ? text.replaceAll(hyphened, joined) : text
  const words = fold(whole).split(' ')
  const told: string[] = []
  const pairs: string[] = []
  for (const [i, word] of words.entries()) {
    if (word.length > 1) told.push(word)
    if (!pairStarts.has(word)) continue
    const pair = `${word}-${words[i + 1] ?? ''}`
    if (votesByWord.has(pair)) pairs.push(pair)
  }
  return pairs.length === 0 ? told : [...told, ...pairs]
}

const hyphened = /\p{L}+(?:-\p{L}+)+/gu

/** "Pop-updiner" is one word when it says something as one, otherwise its parts are read. */
function joined(word: string): string {
  const whole = fold(word.replaceAll('-', ''))
  const isOne = !votesByWord.has(word.toLowerCase()) && votesFor(whole).length > 0
  return isOne ? whole : word.replaceAll('-', ' ')
}

const votesFor = remember(50_000, (word: string): readonly Vote[] =>
  silentWords.has(word) ? none : (votesByWord.get(word) ?? stemVotes(word) ?? compoundVotes(word)),
)

/** Short words are not stemmed: "met" would become a form of "meet". */
function stemVotes(word: string): readonly Vote[] | undefined {
  if (word.length < shortestStemmed) return undefined
  return votesByWord.get(`~${dutch.stem(word)}`) ?? votesByWord.get(`~${english.stem(word)}`)
}

/**
 * Dutch joins words: "zomeravondconcert" is a concert, so the longest known ending counts. Not when that only tells the
 * form ("festival") and the beginning what it is about ("foodtruck").
 */
function compoundVotes(word: string): readonly Vote[] {
  if (word.length > 8 && forFamilies.test(word)) return [{ category: 'family', weight: 4 }]
  for (let start = 3; start <= word.length - 4; start++) {
    const ending = word.slice(start)
    const votes = isPart(ending) ? (votesByWord.get(ending) ?? stemVotes(ending)) : undefined
    if (votes === undefined) continue
    const subject = forms.has(ending) ? beginningVotes(word.slice(0, start)) : none
    return parts(subject.length > 0 ? subject : votes)
  }
  return parts(beginningVotes(word))
}

function beginningVotes(word: string): readonly Vote[] {
  for (let end = word.length; end >= 4; end--) {
    const beginning = word.slice(0, end)
    const votes = isPart(beginning) ? votesByWord.get(beginning) : undefined
    if (votes !== undefined) return votes
  }
  return none
}

/** Most words of four letters stand in others by chance: "band" in "verband". */
function isPart(word: string): boolean {
  return word.length >= shortestCompoundPart || shortParts.has(word)
}

function parts(votes: readonly Vote[]): readonly Vote[] {
  return votes.map((vote) => ({ ...vote, weight: vote.weight * partFactor }))
}

const none: readonly Vote[] = []

/** Whole words under their own name, stems under `~stem`; a whole word wins over a stem. */
function loadWords(): Map<string, Vote[]> {
  const table = new Map<string, Vote[]>()
  const add = (key: string, vote: Vote): void => {
    const votes = table.get(key) ?? []
    if (!votes.some((existing) => existing.category === vote.category)) votes.push(vote)
    table.set(key, votes)
  }
  for (const category of categories) {
    for (const weight of [3, 2, 1] as const) {
      for (const entry of categoryWords[category][weight].split(/\s+/)) {
        const word = fold(entry).replaceAll(' ', '-')
        if (word === '') continue
        add(word, { category, weight })
        if (word.length >= shortestStemmed && !word.includes('-')) {
          add(`~${dutch.stem(word)}`, { category, weight })
          add(`~${english.stem(word)}`, { category, weight })
        }
      }
    }
  }
  return table
}

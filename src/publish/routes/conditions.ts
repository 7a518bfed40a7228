import { foldText, tokensOfItem } from '../tokens.ts'
import type { ClassifiedItem } from '../types.ts'
import { gridKeysAround } from './grid.ts'
import { isEmptyFilter, type RouteFilters } from './filters.ts'
import { parseWords, type Words } from './words.ts'

/** An item prepared for many routes: sets instead of lists, words cut once. */
export interface Subject {
  classified: ClassifiedItem
  topics: ReadonlySet<string>
  tags: ReadonlySet<string>
  /** Made when the first route asks for words. */
  tokens(): readonly string[]
  words(): ReadonlySet<string>
}

export interface Condition {
  name: keyof RouteFilters
  expected: unknown
  actual(subject: Subject): unknown
  holds(subject: Subject): boolean
  /**
   * Keys of which an item must have one for the condition to hold, the way in through the index; null when any item
   * may pass.
   */
  keys: string[] | null
}

export interface Answer {
  filter: string
  passed: boolean
  expected: unknown
  actual: unknown
}

/** Every filter with its verdict; an empty filter has one that says so. */
export function explain(filters: RouteFilters, classified: ClassifiedItem): Answer[] {
  const subject = subjectOf(classified)
  if (isEmptyFilter(filters))
    return [{ filter: 'empty', passed: false, expected: 'at least one filter', actual: 'none' }]
  return conditionsOf(filters).map((condition) => ({
    filter: condition.name,
    passed: condition.holds(subject),
    expected: condition.expected,
    actual: condition.actual(subject),
  }))
}

export function subjectOf(classified: ClassifiedItem): Subject {
  const { item, classification } = classified
  let tokens: readonly string[] | null = null
  let words: ReadonlySet<string> | null = null
  const cut = (): readonly string[] => {
    if (tokens !== null) return tokens
    const { title, body } = tokensOfItem(item)
    return (tokens = [...title, ...body])
  }
  return {
    classified,
    topics: new Set(classification.topics),
    tags: new Set(item.tags.map(foldText)),
    tokens: cut,
    words: () => (words ??= new Set(cut())),
  }
}

/** In the order in which they narrow down best: the first with keys is the way in. */
export function conditionsOf(filters: RouteFilters): Condition[] {
  const conditions: Condition[] = []
  const add = <T>(
    name: keyof RouteFilters,
    expected: T | undefined,
    make: (expected: T) => Omit<Condition, 'name' | 'expected'>,
  ): void => {
    if (expected === undefined || (Array.isArray(expected) && expected.length === 0)) return
    conditions.push({ name, expected, ...make(expected) })
  }
  const oneOf = (prefix: string, read: (subject: Subject) => string | null) => {
    return (wanted: readonly string[]) => {
      const set = new Set<string>(wanted)
      return {
        actual: read,
        holds: (subject: Subject) => set.has(read(subject) ?? '\0'),
        keys: wanted.map((one) => `${prefix}:${one}`),
      }
    }
  }

  add(
    'sources',
    filters.sources,
    oneOf(
      'source',
      item((one) => one.sourceId),
    ),
  )
  add('topics_all', filters.topics_all, (wanted) => ({
    actual: topicsOf,
    holds: ({ topics }) => wanted.every((topic) => topics.has(topic)),
    keys: wanted.slice(0, 1).map((topic) => `topic:${topic}`),
  }))
  add('text', filters.text === '' ? undefined : filters.text, (text) => textCondition(text))
  add('topics_any', filters.topics_any, (wanted) => ({
    actual: topicsOf,
    holds: ({ topics }) => wanted.some((topic) => topics.has(topic)),
    keys: wanted.map((topic) => `topic:${topic}`),
  }))
  add('tags_any', filters.tags_any, (wanted) => {
    const folded = wanted.map(foldText)
    return {
      actual: ({ classified }) => classified.item.tags,
      holds: ({ tags }) => folded.some((tag) => tags.has(tag)),
      keys: folded.map((tag) => `tag:${tag}`),
    }
  })
  add('near', filters.near, (near) => ({
    actual: ({ classified: { item: one } }) =>
      one.lat === null || one.lng === null
        ? null
        : { lat: one.lat, lng: one.lng, distance_km: Math.round(distanceKm(near, one) * 10) / 10 },
    holds: ({ classified: { item: one } }) => distanceKm(near, one) <= near.radius_km,
    keys: gridKeysAround(near.lat, near.lng, near.radius_km),
  }))
  add(
    'categories',
    filters.categories,
    oneOf(
      'category',
      item((one) => one.category),
    ),
  )
  add(
    'content_types',
    filters.content_types,
    oneOf('type', ({ classified }) => classified.classification.contentType),
  )
  add(
    'languages',
    filters.languages,
    oneOf(
      'language',
      item((one) => one.language),
    ),
  )
  add(
    'kinds',
    filters.kinds,
    oneOf(
      'kind',
      item((one) => one.kind),
    ),
  )

  add('min_quality', filters.min_quality, (least) => ({
    actual: qualityOf,
    holds: (subject) => qualityOf(subject) >= least,
    keys: null,
  }))
  add('max_quality', filters.max_quality, (highest) => ({
    actual: qualityOf,
    holds: (subject) => qualityOf(subject) <= highest,
    keys: null,
  }))
  add('topics_none', filters.topics_none, (unwanted) => ({
    actual: topicsOf,
    holds: ({ topics }) => !unwanted.some((topic) => topics.has(topic)),
    keys: null,
  }))
  add('tags_none', filters.tags_none, (unwanted) => {
    const folded = unwanted.map(foldText)
    return {
      actual: ({ classified }) => classified.item.tags,
      holds: ({ tags }) => !folded.some((tag) => tags.has(tag)),
      keys: null,
    }
  })
  add('sources_none', filters.sources_none, (unwanted) => {
    const set = new Set(unwanted)
    return {
      actual: item((one) => one.sourceId),
      holds: ({ classified }) => !set.has(classified.item.sourceId),
      keys: null,
    }
  })
  return conditions
}

function textCondition(text: string): Omit<Condition, 'name' | 'expected'> {
  const wanted = parseWords(text)
  return {
    actual: (subject) => ({ missing: missingWords(wanted, subject) }),
    holds: (subject) =>
      missingWords(wanted, subject).length === 0 &&
      !wanted.without.some((phrase) => contains(subject, phrase)),
    // The longest wanted word is most likely the rarest.
    keys: wanted.rarest === null ? null : [wanted.rarest],
  }
}

function missingWords(wanted: Words, subject: Subject): string[] {
  return wanted.all.filter((phrase) => !contains(subject, phrase)).map((words) => words.join(' '))
}

function contains(subject: Subject, phrase: readonly string[]): boolean {
  const words = subject.words()
  if (!phrase.every((word) => words.has(word))) return false
  if (phrase.length === 1) return true
  const tokens = subject.tokens()
  return tokens.some(
    (token, at) =>
      token === phrase[0] && phrase.every((word, offset) => tokens[at + offset] === word),
  )
}

function topicsOf({ classified }: Subject): string[] {
  return classified.classification.topics
}

function qualityOf({ classified }: Subject): number {
  return classified.classification.quality
}

function item(read: (item: ClassifiedItem['item']) => string | null) {
  return (subject: Subject): string | null => read(subject.classified.item)
}

function distanceKm(
  from: { lat: number; lng: number },
  to: { lat: number | null; lng: number | null },
): number {
  if (to.lat === null || to.lng === null) return Infinity
  const rad = Math.PI / 180
  const a =
    Math.sin(((to.lat - from.lat) * rad) / 2) ** 2 +
    Math.cos(from.lat * rad) *
      Math.cos(to.lat * rad) *
      Math.sin(((to.lng - from.lng) * rad) / 2) ** 2
  return 12_742 * Math.asin(Math.min(1, Math.sqrt(a)))
}

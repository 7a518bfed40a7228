import { foldedWords, meaningfulWords, meaningsOf } from './words.ts'
import { cosine, wordVector, weightOf } from './vector.ts'

/** What two calendar events are compared by. */
export interface ComparableEvent {
  id: string
  sourceId: string
  title: string
  description: string
  startsAt: Date
  endsAt: Date | null
  eventDate: string
  eventTime: string
  venueName: string
  address: string | null
  city: string | null
  lat: number
  lng: number
  precision: string
}

export interface Evidence {
  /** Similarity of the titles, places left out. */
  title: number
  description: number
  /** 1: same venue; 0.6: same town; 0: far apart. */
  place: number
  /** 1: same minute; 0.7: one tells no time; 0: hours apart. */
  time: number
  km: number
  minutes: number | null
  /** Words both titles carry. */
  shared: string[]
}

export interface Comparison {
  score: number
  same: boolean
  evidence: Evidence
}

/** Tuned on the labelled pairs of test/refine: the lowest value without a wrong merge among near misses. */
export const localThreshold = 0.7
/** With vectors of a real embedding model, as the specification has it. */
export const embeddingThreshold = 0.95

const farKm = 25
const mostMinutesApart = 180

/** Whether two events are one happening told twice. Titles decide; time and place must agree. */
export function compareEvents(
  a: ComparableEvent,
  b: ComparableEvent,
  embeddingSimilarity?: number,
): Comparison {
  const km = kmBetween(a, b)
  const { time, minutes } = timeAgreement(a, b)
  const place = time === 0 ? 0 : placeAgreement(a, b, km)
  if (time === 0 || place === 0) return elsewhere(time, place, km, minutes)
  const left = readTitle(a, b)
  const right = readTitle(b, a)
  const { similarity: title, conflict } = matchTitles(left, right)
  // One door at one minute is told of many: without a word in common the stories need not be read.
  if (title === 0 && embeddingSimilarity === undefined) return elsewhere(time, place, km, minutes)
  const description = descriptionSimilarity(a, b)
  const evidence: Evidence = {
    title: round(title),
    description: round(description),
    place: round(place),
    time: round(time),
    km: round(km),
    minutes,
    shared: [...left.content].filter((word) => right.content.has(word)),
  }
  if (contradict(left.words, right.words)) return { score: 0, same: false, evidence }
  if (embeddingSimilarity !== undefined)
    return {
      score: round(embeddingSimilarity),
      same: embeddingSimilarity >= embeddingThreshold,
      evidence,
    }
  // Told alike in other words, or in another language: the story has to speak for it.
  const told =
    conflict >= 1
      ? 0.55 * title + 0.45 * description
      : Math.max(title, 0.6 * title + 0.4 * description)
  // Two venues of one town need more than a title anybody may use.
  const doubtful = place < 0.5 && (title < 0.8 || description < 0.5)
  const score = 0.64 * told + 0.2 * place + 0.16 * time
  return { score: round(score), same: score >= localThreshold && !doubtful && title > 0, evidence }
}

/** Another time, place or title: most pairs end here, before their stories are read. */
function elsewhere(time: number, place: number, km: number, minutes: number | null): Comparison {
  const apart = { time: round(time), place: round(place), km: round(km), minutes }
  return { score: 0, same: false, evidence: { title: 0, description: 0, shared: [], ...apart } }
}

/** Read out of an event once while it meets its candidates, and only when asked for: most pairs end at the place. */
function onceEach<T extends object>(
  read: (event: ComparableEvent) => T,
): (event: ComparableEvent) => T {
  const known = new WeakMap<ComparableEvent, T>()
  return (event) => {
    let words = known.get(event)
    if (words === undefined) {
      words = read(event)
      known.set(event, words)
    }
    return words
  }
}

const placeOf = onceEach(({ venueName, address, city }) => ({
  venue: placeWords(venueName, city),
  address: address === null ? null : foldedWords(address).join(' '),
  city: city === null ? null : foldedWords(city).join(' '),
}))

/** Names of its place stand beside the title, in the form of title words. */
const titleOf = onceEach(({ title, venueName, city }) => {
  const words = foldedWords(title)
  const pairs = words.slice(1).map((word, i): [string, string[]] => {
    const before = words[i] ?? ''
    return [before + word, [before, word]]
  })
  return {
    title: words,
    meaning: meaningsOf(words),
    /** Neighbours as somebody else may write them: together. */
    pairs: new Map(pairs),
    place: meaningfulWords(`${venueName} ${city ?? ''}`),
  }
})

const storyOf = onceEach(
  ({ description }) =>
    new Set(meaningfulWords(description.slice(0, 500)).filter((word) => word.length > 3)),
)

interface Title {
  words: string[]
  content: Set<string>
}

/** Titles often repeat where it is ("… in Zwolle"): those words belong to the place. */
function readTitle(event: ComparableEvent, other: ComparableEvent): Title {
  const [own, theirs] = [titleOf(event), titleOf(other)]
  const words = apartAs(own, theirs.pairs)
  const kept = words.filter((word) => !own.place.includes(word) && !theirs.place.includes(word))
  return { words, content: new Set(kept.length > 0 ? kept : words) }
}

/** "Oliebollenrun" beside "Oliebollen Run": written together here, apart there. */
function apartAs(
  { title, meaning }: { title: readonly string[]; meaning: string[] },
  pairs: ReadonlyMap<string, readonly string[]>,
): string[] {
  if (!title.some((word) => pairs.has(word))) return meaning
  return meaningsOf(title.flatMap((word) => pairs.get(word) ?? word))
}

interface TitleMatch {
  similarity: number
  /** Weight of telling words that each title has for itself: "Jura" here, "Loire" there. */
  conflict: number
}

function matchTitles(a: Title, b: Title): TitleMatch {
  const left = coverage(a.content, b.content)
  const right = coverage(b.content, a.content)
  const most = Math.max(left.share, right.share)
  const least = Math.min(left.share, right.share)
  const small = left.share >= right.share ? left : right
  // One general word is no title: "Workshop" is contained in every workshop.
  const similarity = small.telling < 1 && least < 1 ? least : 0.6 * most + 0.4 * least
  return { similarity, conflict: Math.min(left.alone, right.alone) }
}

/** How much of a title the other has too, and the weight of the telling words it has alone. */
function coverage(
  own: ReadonlySet<string>,
  other: ReadonlySet<string>,
): { share: number; alone: number; telling: number } {
  let total = 0
  let found = 0
  let alone = 0
  let telling = 0
  for (const word of own) {
    const weight = weightOf(word)
    total += weight
    if (weight === 1) telling++
    const likeness = other.has(word) ? 1 : nearest(word, other)
    found += weight * likeness
    if (weight === 1) alone += 1 - likeness
  }
  return { share: total === 0 ? 0 : found / total, alone, telling }
}

/** Another spelling of the word: half counts, a resemblance does not. */
function nearest(word: string, others: ReadonlySet<string>): number {
  if (word.length < 5) return 0
  let best = 0
  for (const other of others) {
    if (other.length >= 5) best = Math.max(best, cosine(wordVector(word), wordVector(other)))
  }
  return best >= 0.5 ? 0.85 : 0
}

/** Parts of a series look alike but are not the same: numbers and levels must not contradict. */
function contradict(a: readonly string[], b: readonly string[]): boolean {
  const numbers = (words: readonly string[]) =>
    new Set(words.filter((word) => /^\d{1,4}$|^[ivx]{2,4}$/.test(word)))
  const [left, right] = [numbers(a), numbers(b)]
  if (left.size > 0 && right.size > 0 && ![...left].some((number) => right.has(number))) return true
  return opposites.some(
    ([one, other]) =>
      (a.includes(one) && b.includes(other) && !a.includes(other) && !b.includes(one)) ||
      (a.includes(other) && b.includes(one) && !a.includes(one) && !b.includes(other)),
  )
}

const opposites: readonly (readonly [string, string])[] = [
  ['beginner', 'advanc'],
  ['kid', 'adult'],
  ['kid', 'senior'],
  ['youth', 'senior'],
  ['toddler', 'adult'],
  ['toddler', 'youth'],
  ['women', 'men'],
  ['morn', 'even'],
  ['afternoon', 'even'],
  ['morn', 'afternoon'],
  ['wine', 'beer'],
  ['wine', 'whiski'],
  ['beer', 'whiski'],
  ['cheese', 'wine'],
  ['chess', 'boardgam'],
  ['paint', 'draw'],
  ['knit', 'crochet'],
  ['indoor', 'outdoor'],
  ['first', 'last'],
  ['open', 'close'],
  ['arriv', 'departur'],
  ['dutch', 'english'],
  ['toddler', 'senior'],
  ['famili', 'adult'],
  ['bird', 'bat'],
  ['book', 'film'],
  ['lectur', 'workshop'],
  ['premier', 'last'],
  ['choir', 'orchestra'],
  ['forest', 'beach'],
  ['kid', 'youth'],
  ['toddler', 'kid'],
  ['day', 'night'],
  ['christma', 'easter'],
  ['summer', 'winter'],
]

/** How much of two stories is the same, by their telling words. */
function descriptionSimilarity(a: ComparableEvent, b: ComparableEvent): number {
  if (a.description.length < 30 || b.description.length < 30) return 0
  const [left, right] = [storyOf(a), storyOf(b)]
  if (left.size === 0 || right.size === 0) return 0
  let common = 0
  for (const word of left) if (right.has(word)) common++
  return common / Math.min(left.size, right.size)
}

function timeAgreement(
  a: ComparableEvent,
  b: ComparableEvent,
): { time: number; minutes: number | null } {
  const minutes = Math.abs(a.startsAt.getTime() - b.startsAt.getTime()) / 60_000
  if (a.eventTime === 'TBD' || b.eventTime === 'TBD') {
    return { time: a.eventDate === b.eventDate ? 0.75 : overlaps(a, b) ? 0.5 : 0, minutes: null }
  }
  if (minutes === 0) return { time: 1, minutes }
  if (minutes > mostMinutesApart) return { time: 0, minutes }
  // Doors and start are told apart by half an hour or an hour.
  return { time: minutes <= 30 ? 0.9 : minutes <= 60 ? 0.75 : 0.3, minutes }
}

/** Several days told as one event by one source and day by day by another. */
function overlaps(a: ComparableEvent, b: ComparableEvent): boolean {
  const endA = a.endsAt?.getTime() ?? a.startsAt.getTime()
  const endB = b.endsAt?.getTime() ?? b.startsAt.getTime()
  return (
    a.startsAt.getTime() <= endB &&
    b.startsAt.getTime() <= endA &&
    Math.abs(a.startsAt.getTime() - b.startsAt.getTime()) <= 86_400_000
  )
}

function placeAgreement(a: ComparableEvent, b: ComparableEvent, km: number): number {
  if (km > farKm) return 0
  const [one, other] = [placeOf(a), placeOf(b)]
  const [left, right] = [one.venue, other.venue]
  let common = 0
  for (const word of left) if (right.has(word)) common++
  const known = left.size > 0 && right.size > 0
  if (known && common / Math.min(left.size, right.size) >= 0.6) return 1
  const sameAddress = one.address !== null && one.address === other.address
  if (sameAddress) return 1
  const exact = a.precision === 'exact' && b.precision === 'exact'
  if (exact && km < 0.15) return 1
  const sameTown = one.city !== null && one.city === other.city
  // Two venues of one town, both named and nothing in common.
  if (known && common === 0) return sameTown || km < 5 ? 0.3 : 0.1
  return sameTown || km < 3 ? 0.65 : 0.3
}

/** What names a venue, without its kind and its town. */
function placeWords(venueName: string, city: string | null): Set<string> {
  const town = new Set(foldedWords(city ?? ''))
  return new Set(
    foldedWords(venueName).filter(
      (word) => word.length > 2 && !town.has(word) && !placeKinds.has(word),
    ),
  )
}

const placeKinds = new Set(
  `het the een cafe cafee restaurant theater theatre schouwburg podium poppodium zaal hall grote kleine grand small room bibliotheek
  library centrum center centre wijkcentrum buurthuis museum kerk church club park sporthal hotel locatie online van der den`.split(
    /\s+/,
  ),
)

function kmBetween(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const rad = Math.PI / 180
  const sinLat = Math.sin(((b.lat - a.lat) * rad) / 2)
  const sinLng = Math.sin(((b.lng - a.lng) * rad) / 2)
  const h = sinLat ** 2 + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * sinLng ** 2
  return 12_742 * Math.asin(Math.min(1, Math.sqrt(h)))
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

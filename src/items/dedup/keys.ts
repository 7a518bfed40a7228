import { genericWords } from './glossary.ts'
import { foldedWords, meaningfulWords } from './words.ts'
import type { ComparableEvent } from './compare-events.ts'

export interface DedupKey {
  day: number
  key: bigint
}

const mostWords = 8
/** Degrees; an event is stored in its own cell and looked for in every cell it could be taken for. */
const cellDegrees = 1
const reachLat = 0.15
const reachLng = 0.24

/**
 * The day and words under which an event is stored, and those under which its duplicates may be: they share a word of
 * the title, or its door and minute.
 */
export function keysOf(event: ComparableEvent): { store: DedupKey[]; lookUp: DedupKey[] } {
  const day = Math.floor(Date.parse(event.eventDate) / 86_400_000)
  const texts = textsOf(event)
  const within = (cell: string): DedupKey[] =>
    texts.map((text) => ({ day, key: hash64(`${cell} ${text}`) }))
  const own = cellOf(event.lat, event.lng)
  const store = within(own)
  const cells = new Set<string>()
  for (const lat of [event.lat - reachLat, event.lat + reachLat]) {
    for (const lng of [event.lng - reachLng, event.lng + reachLng]) cells.add(cellOf(lat, lng))
  }
  return { store, lookUp: [...cells].flatMap((cell) => (cell === own ? store : within(cell))) }
}

function textsOf(event: ComparableEvent): string[] {
  const words = new Set(meaningfulWords(event.title).slice(0, mostWords * 2))
  // Names of venues are in many titles of that venue; they find nothing the other words do not.
  const telling = [...words].filter((word) => !genericWords.has(word))
  const chosen = (telling.length > 0 ? telling : [...words]).slice(0, mostWords)
  const venue = foldedWords(event.venueName).slice(0, 4).sort().join(' ')
  return [
    ...chosen.map((word) => `w ${word}`),
    ...(event.eventTime === 'TBD' ? [] : [`v ${event.eventTime} ${venue}`]),
  ]
}

function cellOf(lat: number, lng: number): string {
  return `${Math.floor(lat / cellDegrees)}/${Math.floor(lng / cellDegrees)}`
}

/** Two 32-bit hashes side by side. */
function hash64(text: string): bigint {
  let a = 0x811c9dc5
  let b = 0x9747b28c
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 13)
  }
  return BigInt.asIntN(64, (BigInt(a >>> 0) << 32n) | BigInt(b >>> 0))
}

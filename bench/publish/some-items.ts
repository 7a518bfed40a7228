import { itemView } from '../../src/publish/item-view.fixture.ts'
import type { ItemView } from '../../src/publish/types.ts'

/** Repeatable chance. */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const syllables = ['ka', 'lo', 'mi', 'ren', 'sta', 'vor', 'den', 'bel', 'tur', 'nis', 'paa', 'gor']
/** 1,728 words that look like words. */
export const words = syllables.flatMap((a) =>
  syllables.flatMap((b) => syllables.map((c) => a + b + c)),
)

export function someItem(n: number, random: () => number): ItemView {
  // Some words are far more common than others, as in any language.
  const word = (): string => words[Math.floor(random() ** 3 * words.length)] ?? ''
  const sentence = (length: number): string => Array.from({ length }, word).join(' ')
  const event = n % 3 === 0
  return itemView({
    id: `00000000-0000-7000-9000-${String(n).padStart(12, '0')}`,
    kind: event ? 'calendar_event' : 'article',
    sourceId: `00000000-0000-7000-8000-${String(n % 500).padStart(12, '0')}`,
    title: sentence(7),
    description: sentence(20),
    text: event ? '' : sentence(80),
    tags: [word(), word()],
    language: n % 5 === 0 ? 'en' : 'nl',
    category: event ? 'music' : null,
    lat: event ? 50.8 + random() * 2.5 : null,
    lng: event ? 3.5 + random() * 3.5 : null,
    startAt: event ? new Date('2027-01-01T20:00:00Z') : null,
    wordCount: event ? 20 : 80,
  })
}

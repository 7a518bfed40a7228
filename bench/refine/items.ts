import type { RawItem, RawLocation } from '../../src/extract/types.ts'

/** A generator with a seed: the same numbers in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const kinds = [
  'Concert',
  'Workshop',
  'Lezing',
  'Wandeling',
  'Voorstelling',
  'Proeverij',
  'Markt',
  'Filmavond',
  'Toernooi',
  'Festival',
]
const names =
  'Amber Zilver Noord Linde Vuur Getij Kobalt Spiegel Anker Molen Eik Haven Duin Kade Zomer Winter Avond Sterren Koper Glas'.split(
    ' ',
  )
const places: [string, string][] = [
  ['Poppodium De Loods', 'Dordrecht'],
  ['Schouwburg De Spiegel', 'Leeuwarden'],
  ['Bibliotheek Neude', 'Utrecht'],
  ['Atelier De Werf', 'Haarlem'],
  ['Sporthal De Meent', 'Hilversum'],
  ['Wijkcentrum Zuid', 'Tilburg'],
  ['Grote Kerk', 'Breda'],
  ['Oranjepark', 'Apeldoorn'],
  ['Club Parallel', 'Rotterdam'],
  ['Speelhal Noord', 'Amsterdam'],
]
const sentences = [
  'Een avond met verhalen, muziek en een glas bessensap in de pauze.',
  'Vrijwilligers geven uitleg en beginners zijn van harte welkom.',
  'De deuren gaan een half uur voor aanvang open, kaarten zijn aan de kassa te koop.',
  'Neem stevige schoenen mee, want het pad kan na regen drassig zijn.',
  'Het programma duurt ongeveer twee uur en is geschikt voor alle leeftijden.',
  'Na afloop is er tijd om met de makers te praten bij een kop koffie.',
]
const dayMs = 86_400_000

/** An invented calendar event or, one in five, a news article. One in ten events is told by two sources. */
export function inventItem(n: number, random: () => number, from: Date): RawItem {
  if (n % 5 === 4) return article(n, random, from)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const twin = n % 10 === 1 ? n - 1 : n
  const own = seeded(twin * 7919)
  const choose = <T>(list: readonly T[]): T => list[Math.floor(own() * list.length)] as T
  const [venue, city] = choose(places)
  const title = `${choose(kinds)} ${choose(names)}${choose(names).toLowerCase()} ${twin.toString(36)}`
  const day = new Date(from.getTime() + Math.floor(own() * 365) * dayMs).toISOString().slice(0, 10)
  const location: RawLocation = {
    name: venue,
    address: `Kerkstraat ${1 + Math.floor(own() * 200)}`,
    city,
    postalCode: null,
    country: 'NL',
    lat: null,
    lng: null,
  }
  return {
    kind: 'calendar_event',
    strategy: 'json_ld',
    title,
    url: `https://site-${n % 50}.example/agenda/${n}`,
    description: [pick(sentences), pick(sentences), pick(sentences)].join(' '),
    imageUrl: `https://site-${n % 50}.example/img/${n}.jpg`,
    language: 'nl',
    tags: [],
    confidence: 0.9,
    provenance: { title: { strategy: 'json_ld', path: '$.name', confidence: 0.9 } },
    calendar: {
      start: `${day}T${String(10 + Math.floor(own() * 11)).padStart(2, '0')}:30`,
      end: null,
      timeText: null,
      allDay: false,
      timezone: null,
      locations: [location],
      onlineUrl: null,
      status: 'scheduled',
      organizer: null,
      price: null,
      uid: null,
      sequence: null,
      recurring: false,
    },
    article: null,
  }
}

function article(n: number, random: () => number, from: Date): RawItem {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const words = Array.from(
    { length: 200 },
    () => `${pick(names).toLowerCase()}${Math.floor(random() * 400)}`,
  )
  const text = `${Array.from({ length: 8 }, () => pick(sentences)).join(' ')} ${words.join(' ')}`
  return {
    kind: 'article',
    strategy: 'article',
    title: `${pick(names)} ${pick(names).toLowerCase()} in het nieuws ${n.toString(36)}`,
    url: `https://site-${n % 50}.example/nieuws/${n}`,
    description: pick(sentences),
    imageUrl: null,
    language: 'nl',
    tags: ['regio'],
    confidence: 0.8,
    provenance: {},
    calendar: null,
    article: {
      text,
      markdown: text,
      byline: 'Redactie',
      publishedAt: new Date(from.getTime() - Math.floor(random() * 30) * dayMs).toISOString(),
      modifiedAt: null,
      section: 'regio',
      canonicalUrl: null,
      paywalled: false,
    },
  }
}

import { expect, test } from 'vitest'
import { classify } from './categories/classify.ts'
import { cleanDescription, cleanImageUrl, cleanTitle } from './clean.ts'
import { gazetteer } from './gazetteer/gazetteer.ts'
import { detectLanguage } from './language.ts'
import type { CalendarInput, PlaceInput, SourceContext } from './types.ts'
import { readWhen } from './when.ts'
import { readWhere } from './where.ts'

const source: SourceContext = {
  id: 's',
  name: 'Uit in Zwolle',
  url: 'https://uit.example/',
  timezone: 'Europe/Amsterdam',
  locale: 'nl-NL',
  defaultLat: null,
  defaultLng: null,
}
const fetchedAt = new Date('2026-05-01T10:00:00Z')

function calendar(more: Partial<CalendarInput>): CalendarInput {
  return {
    start: null,
    end: null,
    timeText: null,
    allDay: null,
    timezone: null,
    locations: [],
    onlineUrl: null,
    status: 'scheduled',
    organizer: null,
    price: null,
    uid: null,
    sequence: null,
    recurring: false,
    ...more,
  }
}

function place(more: Partial<PlaceInput>): PlaceInput {
  return {
    name: null,
    address: null,
    city: null,
    postalCode: null,
    country: null,
    lat: null,
    lng: null,
    ...more,
  }
}

test.each([
  [{ start: '2026-05-20T20:30' }, '2026-05-20 20:30 2026-05-20T18:30:00.000Z'],
  [{ start: '2026-05-20T18:30:00Z', timezone: 'UTC' }, '2026-05-20 20:30 2026-05-20T18:30:00.000Z'],
  [
    { start: '2026-05-20T19:30', timezone: 'Europe/London' },
    '2026-05-20 19:30 2026-05-20T18:30:00.000Z',
  ],
  [{ start: 'woensdag 20 mei, aanvang 20.30 uur' }, '2026-05-20 20:30 2026-05-20T18:30:00.000Z'],
  [{ start: '20 mei 2026', timeText: '20.30 uur' }, '2026-05-20 20:30 2026-05-20T18:30:00.000Z'],
  [{ start: '2026-12-20T20:30' }, '2026-12-20 20:30 2026-12-20T19:30:00.000Z'],
  [
    { start: '20 t/m 22 mei' },
    '2026-05-20 TBD 2026-05-19T22:00:00.000Z – 2026-05-22T22:00:00.000Z',
  ],
  [
    { start: '2026-05-20T21:00', end: '01:00' },
    '2026-05-20 21:00 2026-05-20T19:00:00.000Z – 2026-05-20T23:00:00.000Z',
  ],
  [{ start: '2026-02-30T20:00' }, null],
  [{ start: 'binnenkort' }, null],
  [{ start: '20.30 uur' }, null],
])('a date is read with the zone of the source, or not at all: %j', (given, expected) => {
  const when = readWhen(calendar(given), { timezone: source.timezone, fetchedAt, language: 'nl' })
  const end = when?.endsAt == null ? '' : ` – ${when.endsAt.toISOString()}`
  expect(
    when === null
      ? null
      : `${when.eventDate} ${when.eventTime} ${when.startsAt.toISOString()}${end}`,
  ).toBe(expected)
})

test('venue, street, postcode and town are told apart', () => {
  const where = (locations: PlaceInput[]) =>
    readWhere(calendar({ locations }), 'Jazz', '', source, gazetteer())
  const whole = {
    venueName: 'De Loods',
    address: 'Havenkade 12',
    postalCode: '3311 GH',
    city: 'Dordrecht',
  }
  expect(where([place({ name: 'De Loods, Havenkade 12, 3311GH Dordrecht' })])).toMatchObject({
    ...whole,
    precision: 'city',
  })
  expect(
    where([place({ name: 'De Loods', address: 'Havenkade 12, 3311 GH Dordrecht, Nederland' })]),
  ).toMatchObject(whole)
  expect(where([place({ name: 'De Loods', lat: 51.8, lng: 4.67 })])).toMatchObject({
    lat: 51.8,
    precision: 'exact',
  })
  const numbered = { venueName: 'Podium 35', address: 'Havenkade 12' }
  expect(where([place({ name: 'Podium 35, Havenkade 12, Dordrecht' })])).toMatchObject(numbered)
  expect(where([place({ name: 'Podium 35', address: 'Havenkade 12' })])).toMatchObject(numbered)
  expect(where([place({ name: 'Zaal 3', city: 'Den Haag' })])).toMatchObject({
    city: 'Den Haag',
    lat: 52.07667,
  })
})

test('an event without a place stands where its source is, with a name and coordinates all the same', () => {
  const bare = readWhere(calendar({}), 'Open dag', '', { ...source, name: 'Agenda' }, gazetteer())
  expect(bare).toMatchObject({ venueName: 'Agenda', precision: 'country' })
  const home = { ...source, name: 'Agenda', defaultLat: 52.5, defaultLng: 6.1 }
  expect(readWhere(calendar({}), 'Open dag', '', home, gazetteer())).toMatchObject({
    lat: 52.5,
    precision: 'source',
  })
  expect(readWhere(calendar({}), 'Open dag', '', source, gazetteer())).toMatchObject({
    city: 'Zwolle',
    precision: 'city',
  })
})

test.each([
  ['Zomeravondconcert in het park', 'music'],
  ['Kinderconcert: Peter en de wolf', 'family'],
  ['Wijnproeverij', 'foodie'],
  ['Bordspellenavond', 'gaming'],
  ['Boswandeling met gids', 'outdoors'],
  ['Hardloopwedstrijd', 'active'],
  ['Stand-up comedy night', 'entertainment'],
  ['Pottery workshop', 'workshops'],
  ['Pubquiz', 'social'],
  ['Iets geheel anders', 'community'],
])('%s is %s', (title, category) => {
  expect(classify({ title, description: '', tags: [], venue: '' }).category).toBe(category)
})

test('texts are cleaned of markup, site names and leftovers', () => {
  expect(cleanTitle('Jazz &amp; <b>Blues</b>\n | Uit in Zwolle', source.name)).toBe('Jazz & Blues')
  expect(cleanDescription('<p>Eerste.</p><p>Tweede.</p>Lees meer')).toBe('Eerste.\nTweede.')
  expect(cleanImageUrl('/foto.jpg', 'https://a.example/x')).toBe('https://a.example/foto.jpg')
  expect(cleanImageUrl('data:image/gif;base64,R0', null)).toBeNull()
})

test('the language is read from the text, from the page when that is short', () => {
  expect(
    detectLanguage('Een gezellige middag met muziek in het park voor jong en oud', 'en', 'nl-NL'),
  ).toBe('nl')
  expect(detectLanguage('Jazz', 'en-GB', 'nl-NL')).toBe('en')
  expect(
    detectLanguage(
      'Ein Abend mit Musik und Gesprächen für die ganze Familie im Stadtpark',
      null,
      'nl-NL',
    ),
  ).toBe('de')
})

import { expect, test } from 'vitest'
import { judge, type Evidence } from './judge.ts'
import { isNoise } from './noise.ts'
import { queriesFor } from './queries.ts'

const nothing: Evidence = {
  url: 'https://example.nl/',
  title: 'Welkom',
  snippet: '',
  place: 'Zwolle',
  reading: 'read',
  events: 0,
  upcoming: 0,
  articles: 0,
  calendarFeeds: 0,
}

test('an agenda with coming events is nearly sure, a page without any is not', () => {
  const agenda = judge({
    ...nothing,
    url: 'https://schouwburg.nl/agenda',
    title: 'Agenda - Schouwburg Zwolle',
    events: 12,
    upcoming: 11,
  })
  expect(agenda.confidence).toBeGreaterThan(0.9)
  expect(agenda.reasons).toEqual([
    'events_found',
    'many_events_found',
    'upcoming_events',
    'agenda_address',
    'agenda_title',
    'names_the_place',
  ])
  expect(judge(nothing)).toEqual({
    confidence: 0.05,
    reasons: ['nothing_found'],
    needsReview: false,
  })
})

test('what could not be read is for a person to judge, however good its name', () => {
  const blocked = judge({
    ...nothing,
    url: 'https://x.nl/agenda',
    title: 'Agenda Zwolle',
    reading: 'blocked',
  })
  expect(blocked.needsReview).toBe(true)
  expect(blocked.confidence).toBeLessThanOrEqual(0.35)
})

test('portals and networks are no sources, on any host of theirs', () => {
  expect(isNoise('https://nl-nl.facebook.com/events')).toBe(true)
  expect(isNoise('https://www.zwolle.nl/agenda')).toBe(false)
})

test('every place is searched five ways in its own language', () => {
  expect(queriesFor('Zwolle', 'NL')).toContain('uitagenda Zwolle')
  expect(queriesFor('Leeds', 'GB')).toHaveLength(5)
})

import { describe, expect, it } from 'vitest'
import { openPage } from './page.ts'
import { splitPlace } from './split-place.ts'
import { loadArticleReader } from './steps.ts'
import type { RawLocation } from './types.ts'
import { runWaterfall, type WaterfallOptions } from './waterfall.ts'

await loadArticleReader()

const text =
  'De brug over de rivier gaat volgende week open, zegt de gemeente in een bericht. '.repeat(8)

function run(body: string, options: WaterfallOptions = {}, url = 'https://s.nl/agenda/concert') {
  const fetchedAt = new Date('2026-05-04T10:00:00Z')
  return runWaterfall(openPage({ url, body, contentType: 'text/html', fetchedAt }), options)
}

function ld(data: object): string {
  return `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data })}</script>`
}

describe('the waterfall', () => {
  const event = { '@type': 'Event', name: 'Concert', startDate: '2026-05-09T20:00:00+02:00' }

  it('stops at the first strategy that finds something and tells what it tried', () => {
    const { by, items, trace } = run(
      ld({ ...event, description: 'Mooi', location: { '@type': 'Place', name: 'De Kerk' } }),
    )
    expect(by).toBe('json_ld')
    expect(items).toHaveLength(1)
    expect(trace.map(({ strategy, outcome }) => [strategy, outcome])).toEqual([
      ['hydration', 'nothing'],
      ['json_ld', 'won'],
    ])
  })

  it('fills what the winner left empty from later strategies, with their origin', () => {
    const article = { '@type': 'NewsArticle', headline: 'Brug open', datePublished: '2026-05-03' }
    const { by, items, trace } = run(
      `<html lang="nl"><title>Brug open</title>${ld(article)}<article><h1>Brug open</h1><p>${text}</p><p>${text}</p></article>`,
      {},
      'https://s.nl/nieuws/brug-open',
    )
    expect(by).toBe('json_ld')
    expect(items[0]?.article?.text).toContain('De brug over de rivier')
    expect(items[0]?.provenance['text']?.strategy).toBe('article')
    expect(items[0]?.provenance['title']?.strategy).toBe('json_ld')
    expect(trace.at(-1)).toMatchObject({ strategy: 'article', outcome: 'filled' })
  })

  it('tries the preferred method first and falls back when it fails', () => {
    const { by, trace } = run(ld(event), { preferredMethod: 'hydration' })
    expect(by).toBe('json_ld')
    expect(trace[0]?.strategy).toBe('hydration')
    expect(run(ld(event), { preferredMethod: 'json_ld' }).trace[0]?.strategy).toBe('json_ld')
  })

  it('structured data that appears is seen although looks are preferred', () => {
    expect(run(ld(event), { preferredMethod: 'dom' }).by).toBe('json_ld')
  })

  it('does not take the date of a news item for a calendar event', () => {
    const { items, trace } = run(
      `<title>Brug open</title><meta property="og:type" content="article"><article><h1>Brug open</h1><p>3 mei 2026, 11:36</p><p>${text}</p><p>${text}</p></article>`,
      {},
      'https://s.nl/nieuws/2026/05/03/brug-open-voor-verkeer-na-jaren',
    )
    expect(items.map(({ kind }) => kind)).toEqual(['article'])
    expect(trace).toContainEqual(
      expect.objectContaining({ strategy: 'dom', outcome: 'rejected', found: 1 }),
    )
  })

  it('tells an empty calendar from a page it cannot read', () => {
    expect(
      run('<h1>Agenda</h1><p>Er zijn op dit moment geen activiteiten gepland.</p>'),
    ).toMatchObject({ items: [], by: null, saysEmpty: true })
    expect(run('<h1>Agenda</h1><p>Welkom.</p>').saysEmpty).toBe(false)
  })

  it('a strategy that fails is noted and passed over', () => {
    const { by, trace } = run('<div>'.repeat(5_000))
    expect(by).toBeNull()
    expect(trace.every(({ outcome }) => outcome !== 'won')).toBe(true)
  })
})

describe('places in one line', () => {
  const place = (name: string): RawLocation => ({
    name,
    address: null,
    city: null,
    postalCode: null,
    country: null,
    lat: null,
    lng: null,
  })

  it.each([
    [
      'Sporthal De Meent, Meentweg 30, 1213 ZK Hilversum',
      'Sporthal De Meent',
      'Meentweg 30',
      'Hilversum',
      '1213 ZK',
    ],
    [
      'Maakplaats 020, Pekplein 9, 1031 GB Amsterdam',
      'Maakplaats 020',
      'Pekplein 9',
      'Amsterdam',
      '1031 GB',
    ],
    ['Town Hall, 12 Main Street, Leeds LS1 4AP', 'Town Hall', '12 Main Street', 'Leeds', 'LS1 4AP'],
    [
      'City Hall, 121 N LaSalle St, Chicago, IL 60602',
      'City Hall',
      '121 N LaSalle St',
      'Chicago',
      '60602',
    ],
  ])('%s', (line, name, address, city, postalCode) => {
    expect(splitPlace(place(line))).toMatchObject({ name, address, city, postalCode })
  })

  it.each(['Grote zaal', 'De Kerk, boven', 'Zaal 3, eerste verdieping'])(
    '%s stays as it is',
    (line) => {
      expect(splitPlace(place(line))).toEqual(place(line))
    },
  )
})

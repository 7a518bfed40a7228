import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { openPage } from '../page.ts'
import { jsonLdStrategy } from './strategy.ts'

const extract = (body: string, url = 'https://site.test/agenda/') =>
  jsonLdStrategy.extract(
    openPage({ url, body, contentType: 'text/html', fetchedAt: new Date(0) }),
    {},
  )
const ld = (...values: unknown[]) =>
  values
    .map((value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`)
    .join('')

describe('calendar events in JSON-LD', () => {
  test('are read whole, with the path of every field', () => {
    const [item, ...rest] = extract(
      ld({
        '@context': 'https://schema.org',
        '@graph': [
          { '@type': 'WebPage', '@id': '#page' },
          {
            '@type': ['MusicEvent'],
            name: 'Jazz &amp; more',
            startDate: '2026-05-01T20:00:00+02:00',
            endDate: '2026-05-01T23:00:00+02:00',
            url: '/agenda/jazz',
            description: '<p>Three&nbsp;bands</p>',
            image: [{ '@type': 'ImageObject', url: '/jazz.jpg' }],
            eventStatus: 'https://schema.org/EventCancelled',
            organizer: { '@type': 'Organization', name: 'De Kelder' },
            location: {
              '@type': 'Place',
              name: 'Paradiso',
              address: {
                '@type': 'PostalAddress',
                streetAddress: 'Weteringschans 6',
                addressLocality: 'Amsterdam',
                postalCode: '1017 SG',
                addressCountry: 'NL',
              },
              geo: { latitude: '52.362', longitude: 4.884 },
            },
            offers: [
              { price: '12,50', priceCurrency: 'EUR' },
              { price: 20, priceCurrency: 'EUR' },
            ],
            keywords: 'jazz, live',
          },
        ],
      }),
    )
    expect(rest).toEqual([])
    expect(item).toMatchObject({
      kind: 'calendar_event',
      strategy: 'json_ld',
      title: 'Jazz & more',
      url: 'https://site.test/agenda/jazz',
      description: 'Three bands',
      imageUrl: 'https://site.test/jazz.jpg',
      tags: ['jazz', 'live'],
      calendar: {
        start: '2026-05-01T20:00:00+02:00',
        end: '2026-05-01T23:00:00+02:00',
        status: 'cancelled',
        organizer: 'De Kelder',
        price: '12.50-20 EUR',
        locations: [
          {
            name: 'Paradiso',
            address: 'Weteringschans 6',
            city: 'Amsterdam',
            postalCode: '1017 SG',
            country: 'NL',
            lat: 52.362,
            lng: 4.884,
          },
        ],
      },
    })
    expect(item?.provenance['start']).toMatchObject({
      path: 'ld+json[0].@graph[1].startDate',
      snippet: '2026-05-01T20:00:00+02:00',
    })
  })

  test('inside another event take its place and organizer', () => {
    const items = extract(
      ld({
        '@type': 'Festival',
        name: 'Summer',
        startDate: '2026-07-01',
        location: 'The park',
        subEvent: [{ '@type': 'Event', name: 'Opening', startDate: '2026-07-01T12:00' }],
      }),
    )
    expect(items.map((item) => [item.title, item.calendar?.locations[0]?.name])).toEqual([
      ['Summer', 'The park'],
      ['Opening', 'The park'],
    ])
  })

  test('with a schedule start when it starts and recur', () => {
    const [item] = extract(
      ld({
        '@type': 'Event',
        name: 'Yoga',
        eventSchedule: {
          '@type': 'Schedule',
          startDate: '2026-01-05',
          startTime: '19:30',
          repeatFrequency: 'P1W',
          scheduleTimezone: 'Europe/Amsterdam',
        },
      }),
    )
    expect(item?.calendar).toMatchObject({
      start: '2026-01-05T19:30',
      recurring: true,
      timezone: 'Europe/Amsterdam',
    })
  })

  test('may be online, or both', () => {
    const [item] = extract(
      ld({
        '@type': 'Event',
        name: 'Talk',
        startDate: '2026-01-05',
        eventStatus: 'EventMovedOnline',
        location: [
          { '@type': 'VirtualLocation', url: 'https://stream.test/' },
          { '@type': 'Place', name: 'Hall' },
        ],
      }),
    )
    expect(item?.calendar).toMatchObject({
      onlineUrl: 'https://stream.test/',
      status: 'moved_online',
      locations: [{ name: 'Hall' }],
    })
  })

  test('follow references into other scripts', () => {
    const [item] = extract(
      ld(
        { '@type': 'Place', '@id': '#hall', name: 'Hall' },
        { '@type': 'Event', name: 'Talk', startDate: '2026-01-05', location: { '@id': '#hall' } },
      ),
    )
    expect(item?.calendar?.locations[0]?.name).toBe('Hall')
  })

  test('without a date are no items', () => {
    expect(extract(ld({ '@type': 'Event', name: 'Someday' }))).toEqual([])
  })
})

test('articles carry byline, dates, section and paywall', () => {
  const [item] = extract(
    ld({
      '@type': 'NewsArticle',
      headline: 'Bridge opens',
      author: [{ name: 'A. Writer' }, { name: 'B. Writer' }],
      datePublished: '2026-02-03T04:05:06Z',
      articleSection: 'Region',
      articleBody: 'Long text',
      isAccessibleForFree: 'False',
      mainEntityOfPage: { '@id': 'https://site.test/bridge' },
    }),
  )
  expect(item).toMatchObject({
    kind: 'article',
    title: 'Bridge opens',
    url: 'https://site.test/bridge',
    article: {
      byline: 'A. Writer, B. Writer',
      publishedAt: '2026-02-03T04:05:06Z',
      section: 'Region',
      text: 'Long text',
      paywalled: true,
    },
  })
})

describe('other syntaxes', () => {
  const expected = {
    title: 'Fair',
    url: 'https://site.test/fair',
    calendar: {
      start: '2026-05-01T10:00',
      end: '2026-05-02',
      locations: [{ name: 'Square', city: 'Delft' }],
    },
  }

  test('microdata', () => {
    const [item] =
      extract(`<div itemscope itemtype="http://schema.org/Event" itemref=where><a itemprop=url href=/fair><b itemprop=name>Fair</b></a>
      <time itemprop=startDate datetime=2026-05-01T10:00>1 May</time><meta itemprop=endDate content=2026-05-02></div>
      <p id=where itemprop=location itemscope itemtype="http://schema.org/Place"><i itemprop=name>Square</i>
      <span itemprop=address itemscope><u itemprop=addressLocality>Delft</u></span></p>`)
    expect(item).toMatchObject(expected)
    expect(item?.provenance['title']?.path).toBe('[itemtype=Event][1].name')
  })

  test('RDFa', () => {
    const [item] =
      extract(`<div vocab="https://schema.org/" typeof=Event><a property=url href=/fair><b property=name>Fair</b></a>
      <span property=startDate content="2026-05-01T10:00">1 May</span><time property=endDate datetime=2026-05-02></time>
      <div rel=location><p typeof=Place><i property=name>Square</i><span property=address typeof=PostalAddress>
      <u property=addressLocality>Delft</u></span></p></div></div>`)
    expect(item).toMatchObject(expected)
  })

  test('h-event', () => {
    const [item] = extract(`<div class=h-event><a class="u-url p-name" href=/fair>Fair</a>
      <span class=dt-start><time class=value datetime=2026-05-01></time> at <span class=value>10am</span></span>
      <time class=dt-end datetime=2026-05-02></time>
      <p class="p-location h-card"><b class=p-name>Square</b> <i class=p-locality>Delft</i></p></div>`)
    expect(item).toMatchObject(expected)
  })

  test('hCalendar', () => {
    const [item] =
      extract(`<div class=vevent><a class="url summary" href=/fair>Fair</a><abbr class=dtstart title="2026-05-01T10:00">x</abbr>
      <abbr class=dtend title=2026-05-02>y</abbr><p class="location vcard"><b class="fn org">Square</b>
      <span class=adr><i class=locality>Delft</i></span></p></div>`)
    expect(item).toMatchObject(expected)
  })

  test('h-entry', () => {
    const [item] =
      extract(`<article class=hentry><h1 class=entry-title><a rel=bookmark href=/p>Post</a></h1>
      <time class=published datetime=2026-01-01>x</time><div class=entry-content>Text</div></article>`)
    expect(item).toMatchObject({
      kind: 'article',
      title: 'Post',
      url: 'https://site.test/p',
      article: { publishedAt: '2026-01-01', text: 'Text' },
    })
  })

  test('one event told in two of them is one item with the fields of both', () => {
    const items = extract(
      `${ld({ '@type': 'Event', name: 'Fair', startDate: '2026-05-01' })}<div itemscope itemtype="http://schema.org/Event">
      <b itemprop=name>Fair</b><meta itemprop=startDate content="2026-05-01T10:00"><i itemprop=location>Square</i></div>`,
    )
    expect(items).toHaveLength(1)
    expect(items[0]?.calendar?.locations[0]?.name).toBe('Square')
  })
})

test('no markup makes it throw', () => {
  const piece = fc.constantFrom(
    '<div itemscope itemtype="http://schema.org/Event" itemref="a b" id=a>',
    '<p itemprop=name id=b>',
    '</p>',
    '</div>',
    '<i typeof=Event about=#x resource=#x>',
    '<b property=name rel=url>',
    '<div class="vevent h-event vcard">',
    '<object class=include data=#a>',
    '<object class=include data=#b>',
    '<time class="dtstart value" datetime=>',
    'text',
    '<script type="application/ld+json">',
    '{"@type":"Event","@id":"#x","subEvent":{"@id":"#x"},"name":',
    '"a"}',
    '</script>',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(extract(pieces.join(''))).toBeInstanceOf(Array)
    }),
    { numRuns: 500, seed: 5 },
  )
})

test('many items referring to many others stay within bounds', () => {
  const refs = Array.from({ length: 300 }, (_, i) => `i${i}`)
  const body = refs
    .map(
      (id) =>
        `<div id=${id} itemscope itemtype="http://schema.org/Event" itemref="${refs.join(' ')}"><b itemprop=name>x</b></div>`,
    )
    .join('')
  const spent = processorClock()
  extract(body)
  expect(spent()).toBeLessThan(8_000)
})

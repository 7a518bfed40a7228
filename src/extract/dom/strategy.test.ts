import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { openPage, type Page } from '../page.ts'
import { detectCms } from './cms.ts'
import { emptyCalendar } from './empty-calendar.ts'
import { nextLinks } from './pagination.ts'
import { itemsBySelectors } from './selectors.ts'
import { domStrategy } from './strategy.ts'

function pageOf(body: string, url = 'https://www.voorbeeld.nl/agenda'): Page {
  return openPage({
    url,
    body,
    contentType: 'text/html',
    fetchedAt: new Date('2026-05-02T12:00:00Z'),
    timezone: 'Europe/Amsterdam',
  })
}

function fixture(name: string): Page {
  return pageOf(readFileSync(new URL(`./fixtures/${name}.html`, import.meta.url), 'utf8'))
}

function brief(page: Page): string[] {
  return domStrategy.extract(page, {}).map((item) => {
    const { start, end, locations, status } = item.calendar ?? {}
    return [item.title, start, end, locations?.[0]?.name, status]
      .map((part) => part ?? '-')
      .join(' | ')
  })
}

describe('events in the looks of a page', () => {
  it('reads a municipal agenda with names, hours, places and what is cancelled', () => {
    expect(brief(fixture('gemeente-agenda'))).toEqual([
      'Raadsvergadering | 2026-05-12T19:30 | 2026-05-12T22:00 | Raadzaal | scheduled',
      'Inloopavond energiebesparing | 2026-05-14T20:00 | - | Dorpshuis De Brink | scheduled',
      'Commissie Ruimte (geannuleerd) | 2026-05-18T19:30 | - | Raadzaal | cancelled',
    ])
  })

  it('reads theatre cards whose day and month stand apart, with the year of the season', () => {
    const items = domStrategy.extract(fixture('theater'), {})
    expect(brief(fixture('theater')).slice(0, 3)).toEqual([
      'De Storm | 2025-11-28T20:15 | - | Grote Zaal | scheduled',
      'Winterlied | 2026-01-03T14:30 | - | Kleine Zaal | scheduled',
      'Voorjaarsgala | 2026-03-20T19:30 | - | Grote Zaal | scheduled',
    ])
    expect(items[0]?.url).toBe('https://www.voorbeeld.nl/voorstelling/de-storm')
    expect(items[0]?.imageUrl).toBe('https://www.voorbeeld.nl/img/storm.jpg')
  })

  it('keeps both ends of "t/m" and gives no hour to what has none', () => {
    expect(brief(fixture('theater')).slice(3)).toEqual([
      'Licht en Water | 2026-06-20 | 2026-06-28 | - | scheduled',
      'Handen in de klei | 2026-07-04 | 2026-08-30 | - | scheduled',
    ])
  })

  it('takes fields from the columns of a table', () => {
    expect(brief(fixture('tabel'))).toEqual([
      'Algemeen bestuur | 2026-01-14T20:00 | - | Waterschapshuis | scheduled',
      'Commissie financiën | 2026-02-11T20:00 | - | Waterschapshuis | scheduled',
      'Algemeen bestuur | 2026-03-11T19:30 | - | Stadhuis Deventer | scheduled',
    ])
  })

  it('gives the date of a heading to every hour under it', () => {
    expect(
      brief(fixture('dagkoppen')).map((line) => line.split(' | ').slice(0, 2).join(' ')),
    ).toEqual([
      'Koffieochtend in de grote zaal 2026-06-08T10:00',
      'Schildercursus voor beginners 2026-06-08T14:00',
      'Stoelyoga 2026-06-10T09:30',
      'Bewonersavond over de herinrichting 2026-06-10T19:30',
    ])
  })

  it('reads definition lists and sentences with a date, a name and a hall', () => {
    expect(brief(fixture('definitielijst'))).toEqual([
      'Lenteconcert | 2026-06-06T20:00 | - | Sint-Janskerk | scheduled',
      'Openluchtconcert (afgelast) | 2026-09-13T14:00 | - | Marktplein | cancelled',
      'Jubileumavond | 2026-10-02T20:00 | - | Theater De Molen | scheduled',
      'Open repetitie | 2026-10-03T14:00 | - | Verenigingsgebouw | scheduled',
    ])
  })

  it('dates the cells of a month grid, also past the end of the month', () => {
    expect(
      brief(fixture('maandkalender')).map((line) => line.split(' | ').slice(0, 2).join(' ')),
    ).toEqual([
      'Bridgeclub 2026-06-02T19:30',
      'Bridgeclub 2026-06-09T19:30',
      'Filmavond 2026-06-11T20:00',
      'Zomermarkt 2026-07-01',
    ])
  })

  it('names bare dates after their heading, with the hour and year told above the list', () => {
    const page = pageOf(
      `<title>Dorpsraad</title><h1>Vergaderingen Dorpsraad Oost</h1><h2>2026</h2>
       <p>De dorpsraad vergadert om 20.00 uur in het dorpshuis.</p>
       <ul><li>8 september</li><li>6 oktober</li><li>3 november</li></ul>`,
    )
    expect(brief(page).map((line) => line.split(' | ').slice(0, 2).join(' '))).toEqual([
      'Vergaderingen Dorpsraad Oost 2026-09-08T20:00',
      'Vergaderingen Dorpsraad Oost 2026-10-06T20:00',
      'Vergaderingen Dorpsraad Oost 2026-11-03T20:00',
    ])
  })

  it('says for each field where it stood', () => {
    const [item] = domStrategy.extract(fixture('gemeente-agenda'), {})
    expect(item?.provenance['title']).toMatchObject({
      strategy: 'dom',
      snippet: 'Raadsvergadering',
    })
    expect(item?.provenance['start']?.path).toContain('p.datum')
    expect(item?.provenance['locations']?.confidence).toBeGreaterThan(0.5)
  })

  it('does not take the day a page was changed for an event', () => {
    expect(brief(pageOf('<h1>Over ons</h1><p>Laatst gewijzigd: 1 mei 2026</p>'))).toEqual([])
  })
})

describe('lists of articles', () => {
  it('become low-confidence items with link, date and picture', () => {
    const card = (n: number): string =>
      `<article><a href="/nieuws/bericht-nummer-${n}-over-het-dorp"><img src="/i${n}.jpg"></a>
       <h3><a href="/nieuws/bericht-nummer-${n}-over-het-dorp">Bericht ${n} over het dorp</a></h3>
       <p>Een lange samenvatting die vertelt waar het bericht over gaat en waarom het ertoe doet.</p></article>`
    const page = pageOf(`<main><h1>Nieuws</h1>${[1, 2, 3, 4].map(card).join('')}</main>`)
    const items = domStrategy.extract(page, {})
    expect(items.map((item) => item.url)).toEqual(
      [1, 2, 3, 4].map((n) => `https://www.voorbeeld.nl/nieuws/bericht-nummer-${n}-over-het-dorp`),
    )
    expect(items[0]).toMatchObject({ kind: 'article', imageUrl: 'https://www.voorbeeld.nl/i1.jpg' })
    expect(items[0]?.confidence).toBeLessThan(0.6)
  })
})

describe('given selectors', () => {
  const html = `<div class="x"><b class="t">Lezing</b><i class="d">3 juni 2026</i><u class="h">20:00</u></div>`

  it('come first', () => {
    const selectors = { container: '.x', title: '.t', date: '.d', time: '.h' }
    const [item] = domStrategy.extract(pageOf(html), { selectors })
    expect(item).toMatchObject({ title: 'Lezing', calendar: { start: '2026-06-03T20:00' } })
    expect(item?.provenance['start']?.path).toBe('.x .d')
  })

  it('that are wrong give a reason instead of an error', () => {
    const { items, problems } = itemsBySelectors(pageOf(html), { container: 'div[[', title: '.t' })
    expect(items).toEqual([])
    expect(problems[0]).toMatch(/^container: /)
  })
})

describe('what a page is', () => {
  it('shows in the marks of its system', () => {
    const page = pageOf(
      '<meta name="generator" content="WordPress 6.5"><link rel="stylesheet" href="/wp-content/plugins/the-events-calendar/a.css">',
    )
    expect(detectCms(page)?.cms).toBe('the-events-calendar')
    expect(detectCms(pageOf('<meta name="generator" content="TYPO3 CMS">'))?.cms).toBe('typo3')
    expect(detectCms(pageOf('<p>Gewone pagina</p>'))).toBeNull()
  })

  it.each([
    'Er zijn op dit moment geen activiteiten gepland.',
    'Geen evenementen gevonden',
    'There are no upcoming events.',
    'No events scheduled',
    'Derzeit sind keine Veranstaltungen geplant.',
    'Aucun événement à venir',
  ])('is an empty calendar when it says: %s', (sentence) => {
    expect(emptyCalendar(pageOf(`<main><p>${sentence}</p></main>`))).toEqual({
      empty: true,
      evidence: sentence,
    })
  })

  it.each(['Geen kosten verbonden aan deze activiteiten', 'There are no parking spaces at events'])(
    'is not an empty calendar when it says: %s',
    (sentence) => {
      expect(emptyCalendar(pageOf(`<main><p>${sentence}</p></main>`)).empty).toBe(false)
    },
  )

  it('leads on by what it calls next, and marks calendars without end', () => {
    expect(nextLinks(fixture('gemeente-agenda')).map((link) => link.url)).toEqual([
      'https://www.voorbeeld.nl/agenda?pagina=2',
    ])
    const page = pageOf(
      '<a href="/agenda?month=2036-06">Volgende maand</a><a href="/agenda?page=2">2</a>',
    )
    expect(nextLinks(page).map((link) => [link.url, link.calendarTrap])).toEqual([
      ['https://www.voorbeeld.nl/agenda?month=2036-06', true],
      ['https://www.voorbeeld.nl/agenda?page=2', false],
    ])
  })
})

describe('hostile pages', () => {
  it('with endless nesting give nothing instead of an error', () => {
    expect(domStrategy.extract(pageOf('<div>'.repeat(200_000)), {})).toEqual([])
  })

  it('with thousands of blocks are read in linear time', () => {
    const row = (n: number): string =>
      `<div class="e"><h3>Event ${n}</h3><p>${(n % 28) + 1} juni 2026 om 20:00</p></div>`
    const body = Array.from({ length: 5_000 }, (_, n) => row(n)).join('')
    const spent = processorClock()
    expect(domStrategy.extract(pageOf(body), {}).length).toBeGreaterThan(1_000)
    expect(spent()).toBeLessThan(10_000)
  })

  it('with long runs of the same character do not stall the patterns', () => {
    const bait = [
      '1 '.repeat(50_000),
      '- '.repeat(50_000),
      'jan '.repeat(30_000),
      '1-'.repeat(50_000),
    ]
    const spent = processorClock()
    for (const text of bait) domStrategy.extract(pageOf(`<h1>x</h1><p>${text}</p>`), {})
    expect(spent()).toBeLessThan(4_000)
  })
})

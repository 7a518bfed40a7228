import { describe, expect, it } from 'vitest'
import { openPage } from '../page.ts'
import { isCalendarTrap } from './calendar-trap.ts'
import { linkKind } from './link-kind.ts'
import { pageLinks } from './page-links.ts'

describe('links of a page', () => {
  it('appear once, with the best words and area and whether they may be followed', () => {
    const page = openPage({
      url: 'https://site.nl/',
      body: `<nav><a href="/agenda/" rel="nofollow">Agenda</a></nav>
        <main><a href="/agenda/?utm_source=x">Bekijk de hele agenda</a><a href="mailto:a@b.nl">mail</a></main>
        <footer><a href="/privacy">Privacy</a></footer>`,
      contentType: 'text/html',
      fetchedAt: new Date('2026-05-02T12:00:00Z'),
    })
    const links = pageLinks(page)
    expect(links.map((link) => [link.text, link.area, link.nofollow, link.kind])).toEqual([
      ['Bekijk de hele agenda', 'main', false, 'listing'],
      ['Privacy', 'footer', false, 'page'],
    ])
  })

  it.each([
    ['https://s.nl/agenda/concert-in-de-kerk', 'event'],
    ['https://s.nl/agenda/2026-05', 'listing'],
    ['https://s.nl/agenda', 'listing'],
    ['https://s.nl/nieuws', 'listing'],
    ['https://s.nl/nieuws/nieuwe-brug-over-de-ijssel-geopend', 'article'],
    ['https://s.nl/2026/05/12/een-titel', 'article'],
    ['https://s.nl/feed/', 'feed'],
    ['https://s.nl/kalender.ics', 'ics'],
    ['https://s.nl/stukken/agenda.pdf', 'asset'],
    ['https://s.nl/contact', 'page'],
  ])('guesses from %s: %s', (url, kind) => {
    expect(linkKind(url)).toBe(kind)
  })

  const may = new Date('2026-05-20T12:00:00Z')
  it.each([
    // What is coming up is read, whole months a year ahead and days a month ahead.
    ['https://s.nl/agenda/2026-05', false],
    ['https://s.nl/agenda/2027-05/', false],
    ['https://s.nl/events/month/2026/06/', false],
    ['https://s.nl/?tribe-bar-date=2026-06-01', false],
    ['https://s.nl/agenda?jaar=2026&maand=7', false],
    ['https://s.nl/agenda/2026-05-20', false],
    // Before and after it the steps have no end.
    ['https://s.nl/agenda/2026-04', true],
    ['https://s.nl/agenda/2027-06', true],
    ['https://s.nl/?tribe-bar-date=2031-06-01', true],
    ['https://s.nl/agenda?jaar=2029&maand=7', true],
    ['https://s.nl/agenda/2026-07-20', true],
    ['https://s.nl/agenda?week=23', true],
    ['https://s.nl/nieuws/2021/06/12/brug-open', false],
  ])('seen in May 2026, %s is a step without end: %s', (url, endless) => {
    expect(isCalendarTrap(url, may)).toBe(endless)
  })
})

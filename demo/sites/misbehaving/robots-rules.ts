import { makeEvents } from '../../generate/events.ts'
import { eventsOf } from '../../generate/kinds.ts'
import { venues } from '../../generate/places.ts'
import { escapeHtml, htmlPage } from '../../render/html.ts'
import { eventPath, plainEventPages, plainTheme, textPage } from '../../render/plain-events.ts'
import { truthOfEvent } from '../../render/truth.ts'
import type { DemoEvent, Rendered, SiteContext, SiteDefinition, TruthPage } from '../../types.ts'

export const robotsRules: SiteDefinition = {
  key: 'robots-rules',
  name: 'De Oude Kerkzaal',
  kind: 'events',
  behaviour: 'misbehaving',
  description: 'robots.txt with disallowed parts and a crawl delay; noindex and nofollow pages',
  create: (context) => {
    const ideas = [...context.deal('foodie', 'nl', 2), ...context.deal('community', 'nl', 3)]
    const events = makeEvents(context, ideas, {
      venues: [venues.churchHall],
      organizer: 'Stichting Oude Kerkzaal',
      times: ['11:00', '19:30'],
      minutes: [90, 120],
    })
    return {
      items: events.slice(0, 4),
      reserve: events.slice(4),
      render: (items) => render(context, eventsOf(items)),
    }
  },
}

function render(context: SiteContext, events: DemoEvent[]): Rendered {
  const pages = plainEventPages(context, theme, events, [
    { href: '/intern/notulen', label: 'Notulen van het bestuur' },
    { href: '/intern/open-dag', label: 'Open dag' },
    { href: '/zoeken?q=concert', label: 'Zoeken' },
    { href: '/jaarverslag.pdf', label: 'Jaarverslag' },
    { href: '/archief', label: 'Archief' },
    { href: '/besloten', label: 'Besloten bijeenkomst' },
  ])
  pages.robots([
    'User-agent: GreedyBot',
    'Disallow: /',
    '',
    'User-agent: *',
    'Crawl-delay: 1',
    'Disallow: /intern/',
    'Disallow: /zoeken',
    'Disallow: /*.pdf$',
    'Allow: /intern/open-dag',
  ])
  pages.html(
    '/intern/open-dag',
    'page',
    textPage(theme, 'Open dag', ['De zaal is open voor wie wil kijken.']),
  )
  addUnfollowed(pages.resources, context)
  pages.html('/besloten', 'page', privatePage(events))
  // Served when asked for, so that a test can see who asked.
  for (const path of [...disallowed, '/archief/diep']) {
    const body = textPage(theme, 'Niet voor robots', [
      'Deze pagina hoort een crawler niet te zien.',
    ])
    pages.file(path, 'text/html; charset=utf-8', body)
  }
  const refusal = (path: string, reason: 'robots' | 'nofollow'): TruthPage => ({
    url: pages.url(path),
    kind: 'page',
    outcome: 'refused',
    reason,
  })
  return {
    resources: pages.resources,
    strategy: 'json_ld',
    items: events.map((event) => truthOfEvent(event, pages.url(eventPath(event)))),
    refused: [
      ...disallowed.map((path) => refusal(path, 'robots')),
      refusal('/archief/diep', 'nofollow'),
    ],
  }
}

/** Fetched, but its header asks not to follow what it links. */
function addUnfollowed(resources: Rendered['resources'], context: SiteContext): void {
  const main = '<h1>Archief</h1><p><a href="/archief/diep">Dieper het archief in</a></p>'
  resources.set('/archief', {
    body: htmlPage(theme, { title: `Archief | ${theme.name}`, main }),
    type: 'text/html; charset=utf-8',
    headers: { 'x-robots-tag': 'noindex, nofollow' },
    lastModified: context.now,
    page: 'page',
  })
}

/** Fetched, but not to be kept: what it shows is no item of the truth. */
function privatePage(events: DemoEvent[]): string {
  const first = events[0]
  const main = `<h1>Besloten bijeenkomst</h1><p>Alleen voor leden, voorafgaand aan ${escapeHtml(first?.title ?? 'de eerste avond')}.</p>`
  return htmlPage(theme, {
    title: `Besloten | ${theme.name}`,
    head: '<meta name="robots" content="noindex">',
    main,
  })
}

const disallowed = ['/intern/notulen', '/zoeken?q=concert', '/jaarverslag.pdf']
const theme = plainTheme('De Oude Kerkzaal', 'Bijeenkomen onder het gewelf', '#5e35b1')

import { makeEvents } from '../../generate/events.ts'
import { eventsOf } from '../../generate/kinds.ts'
import { venues } from '../../generate/places.ts'
import { eventPath, plainEventPages, plainTheme } from '../../render/plain-events.ts'
import { truthOfEvent } from '../../render/truth.ts'
import type { Resource, SiteDefinition } from '../../types.ts'

export const rateLimited: SiteDefinition = {
  key: 'rate-limited',
  name: 'Atelier De Werf',
  kind: 'events',
  behaviour: 'misbehaving',
  description: '429 with Retry-After for everything faster than one request per second',
  // More than the site allows, so that a crawler has to learn from the answers.
  source: { rate_limit: 5 },
  create: (context) => {
    const ideas = [...context.deal('workshops', 'nl', 3), ...context.deal('active', 'nl', 3)]
    const events = makeEvents(context, ideas, {
      venues: [venues.studio],
      organizer: 'Atelier De Werf',
      times: ['10:00', '13:30'],
      minutes: [120, 180],
    })
    let lastServed = -Infinity
    return {
      items: events.slice(0, 5),
      reserve: events.slice(5),
      render: (items) => {
        const pages = plainEventPages(context, theme, eventsOf(items))
        return {
          resources: pages.resources,
          strategy: 'json_ld',
          items: eventsOf(items).map((e) => truthOfEvent(e, pages.url(eventPath(e)))),
        }
      },
      intercept: (request, wire) => {
        if (request.path === '/robots.txt') return false
        // A little slack, because a client's second is not exactly the server's.
        if (request.at - lastServed < 950) {
          wire.send(tooFast)
          return true
        }
        lastServed = request.at
        return false
      },
      reset: () => {
        lastServed = -Infinity
      },
    }
  },
}

const tooFast: Resource = {
  status: 429,
  type: 'text/html; charset=utf-8',
  headers: { 'retry-after': '1' },
  body: '<!doctype html><title>Too many requests</title><h1>Even geduld</h1><p>U doet te veel aanvragen. Probeer het over een seconde opnieuw.</p>',
  lastModified: new Date(0),
}

const theme = plainTheme('Atelier De Werf', 'Maken aan het water', '#00695c')

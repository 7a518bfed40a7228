import { makeEvents } from '../../generate/events.ts'
import { eventsOf } from '../../generate/kinds.ts'
import { venues } from '../../generate/places.ts'
import { eventPath, plainEventPages, plainTheme } from '../../render/plain-events.ts'
import { truthOfEvent } from '../../render/truth.ts'
import type { DemoRequest, Resource, SiteDefinition } from '../../types.ts'

export const botWall: SiteDefinition = {
  key: 'bot-wall',
  name: 'Club Parallel',
  kind: 'events',
  behaviour: 'misbehaving',
  description: '403 to anything that does not send the headers of a real browser',
  create: (context) => {
    const ideas = [...context.deal('music', 'nl', 3), ...context.deal('entertainment', 'nl', 3)]
    const events = makeEvents(context, ideas, {
      venues: [venues.club],
      organizer: 'Club Parallel',
      times: ['20:00', '23:00'],
      minutes: [120, 240],
    })
    return {
      items: events.slice(0, 5),
      reserve: events.slice(5),
      render: (items) => {
        const pages = plainEventPages(context, theme, eventsOf(items))
        for (const [path, resource] of pages.resources) {
          if (resource.page !== undefined) {
            pages.resources.set(path, { ...resource, needs: 'browser_headers' })
          }
        }
        return {
          resources: pages.resources,
          strategy: 'json_ld',
          items: eventsOf(items).map((e) => truthOfEvent(e, pages.url(eventPath(e)))),
        }
      },
      intercept: (request, wire) => {
        if (request.path === '/robots.txt' || looksLikeBrowser(request)) return false
        wire.send(blockPage)
        return true
      },
    }
  },
}

/** What Chrome always sends and simple clients never do. */
function looksLikeBrowser({ headers }: DemoRequest): boolean {
  return (
    /Mozilla\/5\.0 .*(Chrome|Firefox|Safari)\//.test(String(headers['user-agent'] ?? '')) &&
    ['accept-language', 'sec-ch-ua', 'sec-fetch-mode', 'sec-fetch-dest'].every(
      (name) => headers[name] !== undefined,
    )
  )
}

const blockPage: Resource = {
  status: 403,
  type: 'text/html; charset=utf-8',
  headers: { server: 'edge', 'cache-control': 'no-store' },
  body: `<!doctype html><html lang="en"><head><title>Access denied</title><style>body{font-family:sans-serif;text-align:center;padding:4em}</style></head>
<body><h1>Sorry, you have been blocked</h1><p>You are unable to access this website. The security service detected automated traffic from your network.</p><p>Reference 0.3f21.9a7c</p></body></html>`,
  lastModified: new Date(0),
}

const theme = plainTheme('Club Parallel', 'Nachtclub bij het station', '#111827')

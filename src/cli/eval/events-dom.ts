import { domStrategy } from '../../extract/dom/strategy.ts'
import { openPage } from '../../extract/page.ts'

/** Reads the events of a calendar page that has no usable markup. */
export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const page = openPage({
    url: String(input['url']),
    body: String(input['html']),
    contentType: 'text/html',
    fetchedAt: new Date(`${String(input['ref'])}T12:00:00Z`),
    locale: typeof input['lang'] === 'string' ? input['lang'] : 'nl',
  })
  const items = domStrategy.extract(page, { preferredKind: 'calendar_event' })
  return {
    events: items.flatMap(({ title, calendar }) =>
      calendar === null
        ? []
        : [{ title, start: calendar.start, location: calendar.locations[0]?.name ?? null }],
    ),
  }
}

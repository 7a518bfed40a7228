import { findEvents } from '../../extract/dom/events.ts'
import { openPage } from '../../extract/page.ts'

/** Reads the events of a calendar page that has no usable markup. */
export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const page = openPage({
    url: String(input['url']),
    body: String(input['html']),
    contentType: 'text/html',
    fetchedAt: new Date(`${String(input['ref'])}T12:00:00Z`),
  })
  const { events } = findEvents({
    document: page.dom,
    url: page.url,
    pageTitle: page.scan.title ?? '',
    ref: String(input['ref']),
    lang: typeof input['lang'] === 'string' ? input['lang'] : null,
  })
  return {
    events: events.map((event) => ({
      title: event.title.text,
      start: event.time === null ? event.date : `${event.date}T${event.time.start}`,
      location: event.place?.text ?? null,
    })),
  }
}

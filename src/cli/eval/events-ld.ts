import { openPage } from '../../extract/page.ts'
import { mapItems } from '../../extract/schema-org/map-items.ts'
import { readThings } from '../../extract/schema-org/read-things.ts'
import type { RawItem } from '../../extract/types.ts'

/** Every calendar event in the structured data of a page. */
export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const page = openPage({
    url: String(input['url']),
    body: String(input['html']),
    contentType: 'text/html',
    fetchedAt: new Date(0),
  })
  const items = mapItems(readThings(page), page).filter((item) => item.kind === 'calendar_event')
  return { events: items.map(toEvent) }
}

function toEvent(item: RawItem): Record<string, unknown> {
  const place = item.calendar?.locations[0]
  return {
    name: item.title,
    startDate: item.calendar?.start ?? null,
    endDate: item.calendar?.end ?? null,
    location: place?.name ?? place?.address ?? place?.city ?? item.calendar?.onlineUrl ?? null,
    url: item.url,
  }
}

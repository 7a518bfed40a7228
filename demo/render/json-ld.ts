import type { DemoEvent } from '../types.ts'
import { withOffset } from '../generate/local-time.ts'

/** A schema.org event as ticketing plugins write it. */
export function eventLd(event: DemoEvent, url: string, type = 'Event'): Record<string, unknown> {
  return {
    '@type': type,
    name: event.title,
    description: event.description,
    url,
    startDate: withOffset(event.start, event.timezone),
    ...(event.end === null ? {} : { endDate: withOffset(event.end, event.timezone) }),
    eventStatus: `https://schema.org/${statusNames[event.status]}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      name: event.venue.name,
      address: {
        '@type': 'PostalAddress',
        streetAddress: event.venue.street,
        postalCode: event.venue.postalCode,
        addressLocality: event.venue.city,
        addressCountry: event.venue.country,
      },
    },
    organizer: { '@type': 'Organization', name: event.organizer },
    offers: {
      '@type': 'Offer',
      price: event.price,
      priceCurrency: event.venue.country === 'GB' ? 'GBP' : 'EUR',
      availability: 'https://schema.org/InStock',
      url: `${url}#tickets`,
    },
  }
}

const statusNames = {
  scheduled: 'EventScheduled',
  cancelled: 'EventCancelled',
  postponed: 'EventPostponed',
}

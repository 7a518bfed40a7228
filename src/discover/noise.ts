import { registrableDomain } from '../kernel/url.ts'

/** Sites that lead every search and are no source of their own: portals, networks, shops, search engines. */
const noise = new Set([
  'airbnb.com',
  'allevents.in',
  'amazon.com',
  'amazon.de',
  'amazon.nl',
  'bing.com',
  'bol.com',
  'booking.com',
  'eventbrite.com',
  'eventbrite.nl',
  'expedia.com',
  'facebook.com',
  'funda.nl',
  'getyourguide.com',
  'google.com',
  'groupon.com',
  'groupon.nl',
  'indeed.com',
  'indeed.nl',
  'instagram.com',
  'linkedin.com',
  'marktplaats.nl',
  'meetup.com',
  'pinterest.com',
  'reddit.com',
  'ticketmaster.com',
  'ticketmaster.nl',
  'tiktok.com',
  'tripadvisor.com',
  'tripadvisor.nl',
  'twitter.com',
  'viagogo.com',
  'wikipedia.org',
  'x.com',
  'yelp.com',
  'youtube.com',
])

export function isNoise(url: string): boolean {
  const domain = registrableDomain(url)
  return domain !== null && noise.has(domain)
}

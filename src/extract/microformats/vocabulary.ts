export interface PropertyRule {
  name: string
  kind: 'text' | 'date' | 'url' | 'html'
}

/** Root classes and the schema.org type each stands for. */
export const ROOTS: ReadonlyMap<string, string> = new Map([
  ['h-event', 'Event'],
  ['vevent', 'Event'],
  ['h-entry', 'Article'],
  ['hentry', 'Article'],
  ['h-card', 'Place'],
  ['vcard', 'Place'],
  ['h-adr', 'PostalAddress'],
  ['adr', 'PostalAddress'],
  ['h-geo', 'GeoCoordinates'],
  ['geo', 'GeoCoordinates'],
])

const text = (name: string): PropertyRule => ({ name, kind: 'text' })
const date = (name: string): PropertyRule => ({ name, kind: 'date' })
const url = (name: string): PropertyRule => ({ name, kind: 'url' })

const ADDRESS: readonly (readonly [string, PropertyRule])[] = [
  ['street-address', text('streetAddress')],
  ['locality', text('addressLocality')],
  ['region', text('addressRegion')],
  ['postal-code', text('postalCode')],
  ['country-name', text('addressCountry')],
  ['latitude', text('latitude')],
  ['longitude', text('longitude')],
]
const EVENT: readonly (readonly [string, PropertyRule])[] = [
  ['location', text('location')],
  ['category', text('keywords')],
  ['description', text('description')],
  ['organizer', text('organizer')],
  ['geo', text('geo')],
]
const MODERN: readonly (readonly [string, PropertyRule])[] = [
  ['p-name', text('name')],
  ['p-summary', text('description')],
  ['p-description', text('description')],
  ['e-description', text('description')],
  ['e-content', { name: 'articleBody', kind: 'html' }],
  ['p-author', text('author')],
  ['u-url', url('url')],
  ['u-uid', url('identifier')],
  ['u-photo', url('image')],
  ['u-featured', url('image')],
  ['dt-start', date('startDate')],
  ['dt-end', date('endDate')],
  ['dt-published', date('datePublished')],
  ['dt-updated', date('dateModified')],
  ['p-geo', text('geo')],
  ['p-adr', text('address')],
  ['p-location', text('location')],
  ['p-category', text('keywords')],
  ['p-organizer', text('organizer')],
  ['p-status', text('eventStatus')],
  ...ADDRESS.map(([key, rule]) => [`p-${key}`, rule] as const),
]
const CLASSIC_EVENT: readonly (readonly [string, PropertyRule])[] = [
  ...EVENT,
  ['summary', text('name')],
  ['dtstart', date('startDate')],
  ['dtend', date('endDate')],
  ['url', url('url')],
  ['uid', text('identifier')],
  ['status', text('eventStatus')],
  ['photo', url('image')],
]
const CLASSIC_ENTRY: readonly (readonly [string, PropertyRule])[] = [
  ['entry-title', text('name')],
  ['entry-summary', text('description')],
  ['entry-content', { name: 'articleBody', kind: 'html' }],
  ['published', date('datePublished')],
  ['updated', date('dateModified')],
  ['author', text('author')],
]
const CLASSIC_CARD: readonly (readonly [string, PropertyRule])[] = [
  ['fn', text('name')],
  ['org', text('legalName')],
  ['url', url('url')],
  ['adr', text('address')],
  ['geo', text('geo')],
  ...ADDRESS,
]

const PROPERTIES: ReadonlyMap<string, ReadonlyMap<string, PropertyRule>> = new Map([
  ['vevent', new Map(CLASSIC_EVENT)],
  ['hentry', new Map(CLASSIC_ENTRY)],
  ['vcard', new Map(CLASSIC_CARD)],
  ['adr', new Map(ADDRESS)],
  ['geo', new Map(ADDRESS)],
])
const MODERN_RULES = new Map(MODERN)

/** The properties to look for inside a root, by class name. */
export function propertiesOf(root: string): ReadonlyMap<string, PropertyRule> {
  return PROPERTIES.get(root) ?? MODERN_RULES
}

/** Roots we map, and modern ones we do not but whose properties are their own. */
export function isRoot(name: string): boolean {
  return ROOTS.has(name) || /^h-[a-z]+(?:-[a-z]+)*$/.test(name)
}

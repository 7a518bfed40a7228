// Feeds of agendas say when and where: the RSS event module, xCal, Google Data, and plain invented tags.
import { firstText, type Fields } from './fields.ts'
import type { FeedEventFields } from './types.ts'
import { elements, type XmlNode } from './xml.ts'

const START = [
  'ev:startdate',
  'xcal:dtstart',
  'startdate',
  'start_date',
  'dtstart',
  'eventdate',
  'event_date',
  'start',
  'begindate',
]
const END = ['ev:enddate', 'xcal:dtend', 'enddate', 'end_date', 'dtend', 'eventenddate', 'end']
const LOCATION = ['ev:location', 'xcal:location', 'location', 'venue', 'eventlocation']
const ORGANIZER = ['ev:organizer', 'xcal:organizer', 'organizer']

/** Null for items that do not say when something takes place. */
export function readEventFields(fields: Fields, item: XmlNode): FeedEventFields | null {
  const anyPrefix = unprefixed(item)
  const first = (names: string[]) => firstText(fields, names) ?? firstText(anyPrefix, names)
  const when = fields('gd:when')[0]?.attributes
  const start = first(START) ?? when?.['startTime'] ?? null
  if (start === null || !/\d/.test(start)) return null
  const [lat, lng] = coordinates(fields)
  return {
    start,
    end: first(END) ?? when?.['endTime'] ?? null,
    location: first(LOCATION) ?? fields('gd:where')[0]?.attributes['valueString'] ?? null,
    organizer: first(ORGANIZER),
    lat,
    lng,
  }
}

// `<event:startdate>`, `<cal:dtstart>`: every agenda plugin has a prefix of its own.
function unprefixed(item: XmlNode): Fields {
  const foreign = elements(item).filter(({ prefix }) =>
    /^(?:ev|cal|event|events|agenda|s|x-?cal)/.test(prefix),
  )
  return (name) => foreign.filter((child) => child.name === name)
}

function coordinates(fields: Fields): [number | null, number | null] {
  const point = (firstText(fields, ['georss:point']) ?? '').split(/[\s,]+/)
  const lat = Number.parseFloat(firstText(fields, ['geo:lat']) ?? point[0] ?? '')
  const lng = Number.parseFloat(firstText(fields, ['geo:long']) ?? point[1] ?? '')
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? [lat, lng] : [null, null]
}

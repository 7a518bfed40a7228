import { readFileSync } from 'node:fs'
import type { ComparableEvent } from '../../src/items/dedup/compare-events.ts'
import { packagePath } from '../../src/kernel/package-root.ts'
import { gazetteer } from '../../src/normalize/gazetteer/gazetteer.ts'
import { instantOf } from '../../src/normalize/zone-time.ts'

export interface Pair {
  same: boolean
  a: ComparableEvent
  b: ComparableEvent
}

/** The labelled pairs; the file explains its notation. */
export function readPairs(): Pair[] {
  const pairs: Pair[] = []
  let first: string[] = []
  for (const line of readFileSync(packagePath('test', 'refine', 'event-pairs.txt'), 'utf8').split(
    '\n',
  )) {
    const mark = line[0]
    if (mark === undefined || !'#=!'.includes(mark)) continue
    const fields = line
      .slice(1)
      .split('|')
      .map((field) => field.trim())
    if (mark === '#') {
      first = fields
      continue
    }
    const second = first.map((field, index) => {
      const own = fields[index] ?? ''
      if (own === '') return index === 4 ? '' : field
      return index === 1 ? moment(own, field) : own
    })
    pairs.push({ same: mark === '=', a: toEvent(first, 'a'), b: toEvent(second, 'b') })
  }
  return pairs
}

function moment(own: string, first: string): string {
  const [day = '', time = ''] = first.split(' ')
  const [shift, later] = own.startsWith('+') ? own.slice(1).split(' ') : ['0', own]
  const moved = new Date(Date.parse(day) + Number(shift) * 86_400_000).toISOString().slice(0, 10)
  return `${moved} ${later ?? time}`
}

function toEvent(fields: string[], sourceId: string): ComparableEvent {
  const [title = '', when = '', venueName = '', city = '', description = ''] = fields
  const [eventDate = '', eventTime = ''] = when.split(' ')
  const place = gazetteer().find(city, {
    country: null,
    near: null,
    homeCountry: city === 'Leeds' ? 'GB' : 'NL',
  })
  if (place === null) throw new Error(`no town ${city}`)
  const local = eventTime === 'TBD' ? eventDate : `${eventDate}T${eventTime}`
  const startsAt = instantOf(local, 'Europe/Amsterdam')
  if (startsAt === null) throw new Error(`no date ${when}`)
  return {
    id: sourceId,
    sourceId,
    title,
    description,
    startsAt,
    endsAt: null,
    eventDate,
    eventTime,
    venueName,
    address: null,
    city,
    lat: place.lat,
    lng: place.lng,
    precision: 'city',
  }
}

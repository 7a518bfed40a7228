import type { Page } from '../page.ts'
import type { FieldOrigin, RawItem, RawLocation } from '../types.ts'
import type { DomEvent } from './events.ts'
import type { Line, PageLines } from './lines.ts'
import { imageIn, linkIn } from './media.ts'
import { pathOf } from './signature.ts'
import { ADDRESS, ONLINE, namesDocument } from './words.ts'

const SNIPPET_CHARS = 160
const DESCRIPTION_CHARS = 600

/** A dated block as a raw item, each field with the place it was read from. */
export function eventItem(event: DomEvent, lines: PageLines, page: Page): RawItem {
  const url = linkIn(event, lines, page.scan.baseUrl)
  const image = imageIn(event, lines, page.scan.baseUrl)
  const description = descriptionIn(event, lines)
  const provenance: Record<string, FieldOrigin> = {
    title: origin(event.title.line, event.title.confidence),
    start: origin(event.mention.line, startConfidence(event)),
  }
  if (event.endDate !== null || event.time?.end) provenance['end'] = origin(event.mention.line, 0.6)
  if (event.place !== null)
    provenance['locations'] = origin(event.place.line, event.place.confidence)
  if (url !== null) provenance['url'] = origin(event.mention.line, 0.6)
  if (image !== null) provenance['imageUrl'] = origin(event.mention.line, 0.5)
  if (description !== null) provenance['description'] = origin(description.line, 0.4)
  return {
    kind: 'calendar_event',
    strategy: 'dom',
    title: event.title.text,
    url,
    description: description?.text ?? null,
    imageUrl: image,
    language: null,
    tags: [],
    confidence: itemConfidence(event),
    provenance,
    calendar: {
      start: event.time === null ? event.date : `${event.date}T${event.time.start}`,
      end: endOf(event),
      timeText: event.time === null ? null : timeText(event),
      allDay: event.time === null ? null : false,
      timezone: page.timezone ?? null,
      locations: event.place === null ? [] : [locationOf(event.place.text)],
      onlineUrl: null,
      status: event.status === 'scheduled' && isOnline(event) ? 'moved_online' : event.status,
      organizer: null,
      price: null,
      uid: null,
      sequence: null,
      recurring: false,
    },
    article: null,
  }
}

function origin(line: Line, confidence: number): FieldOrigin {
  return {
    strategy: 'dom',
    path: pathOf(line.block),
    confidence: Number(confidence.toFixed(2)),
    snippet: line.text.slice(0, SNIPPET_CHARS),
  }
}

function startConfidence(event: DomEvent): number {
  const written = event.mention.written
  return 0.5 + (written.year === null ? 0 : 0.2) + (event.timeLine === null ? 0 : 0.15)
}

function itemConfidence(event: DomEvent): number {
  const repeated = event.groupSize > 2 ? 0.1 : 0
  const score = 0.25 + repeated + (event.ownTitle ? 0.2 : 0) + (event.timeLine === null ? 0 : 0.1)
  return Number(Math.min(0.75, score + (event.mention.written.year === null ? 0 : 0.1)).toFixed(2))
}

function endOf(event: DomEvent): string | null {
  if (event.endDate !== null)
    return event.time?.end ? `${event.endDate}T${event.time.end}` : event.endDate
  if (!event.time?.end) return null
  // "20:00 tot 01:00" ends on the next day.
  const day = event.time.end < event.time.start ? dayAfter(event.date) : event.date
  return `${day}T${event.time.end}`
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

function timeText(event: DomEvent): string | null {
  const { time, timeLine } = event
  if (time === null) return null
  return timeLine === null ? time.start : timeLine.text.slice(time.index, time.index + time.length)
}

// "moved online" is what a place that is no place means; the words alone in a text do not.
function isOnline(event: DomEvent): boolean {
  const place = event.place?.text ?? ''
  return ONLINE.test(place) && !ADDRESS.test(place)
}

function locationOf(text: string): RawLocation {
  const isAddress = ADDRESS.test(text)
  const comma = text.indexOf(',')
  const startsWithNumber = /^\d/.test(text)
  const name = isAddress && !startsWithNumber && comma > 3 ? text.slice(0, comma) : text
  return {
    name: isAddress && startsWithNumber ? null : name,
    address: isAddress ? text : null,
    city: null,
    postalCode: /\b(\d{4}\s?[A-Z]{2}|\d{5}(?:-\d{4})?)\b(?=\s|$|,)/.exec(text)?.[1] ?? null,
    country: null,
    lat: null,
    lng: null,
  }
}

function descriptionIn(event: DomEvent, lines: PageLines): { text: string; line: Line } | null {
  const { record } = event
  if (record.clip !== null) return null
  for (let at = record.from; at < Math.min(record.to, record.from + 30); at += 1) {
    const line = lines.lines[at]
    if (line === undefined || line.text.length < 60 || line.heading > 0 || namesDocument(line.text))
      continue
    if (line.text === event.title.text || line.text === event.place?.text) continue
    return { text: line.text.slice(0, DESCRIPTION_CHARS), line }
  }
  return null
}

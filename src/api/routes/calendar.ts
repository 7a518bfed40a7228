import { z } from 'zod'
import { toIcs, type IcsEvent } from '../../items/output.ts'
import { getEvent, listEvents, type EventFilter, type Row } from '../../items/search/list.ts'
import { categories } from '../../normalize/types.ts'
import type { Api, ApiContext } from '../context.ts'
import { invalid } from '../problem.ts'
import { itemList, itemPage, pageOf, point, wordsOf } from './item-query.ts'
import { itemRoutes, listOf, rssOf, rssType } from './kept-items.ts'

const tags = ['items']
const mostInFile = 2000
const eventStatuses = ['active', 'rescheduled', 'postponed', 'cancelled', 'vanished'] as const

const filterQuery = z.object({
  search: z.string().max(300).optional(),
  source_id: z.uuid().optional(),
  category: wordsOf(categories).optional(),
  city: z.string().max(100).optional(),
  language: z.string().max(8).optional(),
  status: wordsOf(eventStatuses).optional(),
  from: z.coerce.date().optional(),
  to: z.coerce.date().optional(),
  near: point.optional(),
  km: z.coerce.number().positive().max(20_000).default(25),
  canonical: z.stringbool().optional(),
  sort: z.enum(['time', 'relevance', 'distance']).optional(),
})

export function calendarRoutes(api: Api, context: ApiContext): void {
  const { sql, clock } = context
  api.get(
    '/api/v1/calendar',
    {
      schema: {
        summary: 'Calendar events by time, category, distance and text',
        tags,
        querystring: itemPage.extend(filterQuery.shape),
        response: { 200: itemList },
      },
    },
    async (request) => {
      const page = pageOf(request.query)
      const filter = filterOf(request.query)
      const found = await listEvents(sql, filter, page)
      return listOf(found, page, (filter.sort ?? 'time') === 'time' ? 'starts_at' : null)
    },
  )

  const upcoming = async (query: z.infer<typeof filterQuery>): Promise<Row[]> => {
    const filter = { canonical: true, from: clock.now(), ...withoutUnset(filterOf(query)) }
    return (await listEvents(sql, filter, { limit: mostInFile, offset: 0, cursor: null })).rows
  }

  api.get(
    '/api/v1/calendar.ics',
    {
      schema: {
        summary: 'Calendar events as a calendar file',
        tags,
        querystring: filterQuery,
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const body = toIcs((await upcoming(request.query)).map(asIcs), 'Millrace')
      return reply.header('content-type', 'text/calendar; charset=utf-8').send(body)
    },
  )

  api.get(
    '/api/v1/calendar.rss',
    {
      schema: {
        summary: 'Calendar events as RSS',
        tags,
        querystring: filterQuery,
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const rows = await upcoming(request.query)
      const entries = rows.map((row) => ({
        id: String(row['uid']),
        title: String(row['title']),
        url: row['url'] as string | null,
        description: `${String(row['event_date'])} ${String(row['event_time'])}, ${String(row['venue_name'])}. ${String(row['description'])}`,
        at: row['first_seen_at'] as Date,
        author: row['organizer'] as string | null,
        categories: [String(row['category'])],
      }))
      const description = 'Upcoming events of the sources Millrace follows'
      const body = rssOf(context, request, { name: 'calendar', description }, entries)
      return reply.header('content-type', rssType).send(body)
    },
  )

  itemRoutes(api, context, {
    path: '/api/v1/calendar',
    name: 'calendar event',
    summary: 'One calendar event and where each field came from',
    historySummary: 'Created, updated, rescheduled, cancelled, vanished: the life of an event',
    get: (id) => getEvent(sql, id),
  })
}

function filterOf(query: z.infer<typeof filterQuery>): EventFilter {
  const { source_id, near, km, ...rest } = query
  if (rest.sort === 'distance' && near === undefined)
    throw invalid([{ field: 'near', message: 'is needed to sort by distance' }])
  return { ...rest, sourceId: source_id, near: near === undefined ? undefined : { ...near, km } }
}

function withoutUnset(filter: EventFilter): EventFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}

function asIcs(row: Row): IcsEvent {
  const place = row['structured_location'] as {
    address: string | null
    city: string | null
    coordinates: { lat: number; lng: number }
  }
  const dates = row['structured_date'] as { end: string | null }
  return {
    uid: String(row['uid']),
    sequence: Number(row['sequence']),
    title: String(row['title']),
    description: String(row['description']),
    startsAt: row['starts_at'] as Date,
    endsAt: row['ends_at'] as Date | null,
    allDay: row['event_time'] === 'TBD',
    firstDay: String(row['event_date']),
    lastDay: dates.end?.slice(0, 10) ?? null,
    location: [row['venue_name'] as string, place.address, place.city]
      .filter((part) => part !== null)
      .join(', '),
    ...place.coordinates,
    url: row['url'] as string | null,
    category: String(row['category']),
    status: String(row['status']),
    updatedAt: row['updated_at'] as Date,
  }
}

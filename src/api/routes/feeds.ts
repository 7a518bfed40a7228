import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { atomOf } from '../../publish/feeds/atom.ts'
import {
  readCalendarEntries,
  readEntries,
  type FeedEntry,
  type FeedPage,
} from '../../publish/feeds/entries.ts'
import { icsOf } from '../../publish/feeds/ics.ts'
import { jsonFeedOf } from '../../publish/feeds/json-feed.ts'
import { rssOf } from '../../publish/feeds/rss.ts'
import { findRoute, type StoredRoute } from '../../publish/routes/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { notFound } from '../problem.ts'

const formats = {
  rss: { type: 'application/rss+xml; charset=utf-8', write: rssOf },
  atom: { type: 'application/atom+xml; charset=utf-8', write: atomOf },
  json: { type: 'application/feed+json; charset=utf-8', write: jsonFeedOf },
  ics: { type: 'text/calendar; charset=utf-8', write: icsOf },
}
const pastEventDays = 31

/** What is on a route as RSS, Atom, JSON Feed and calendar. Readers cannot log in, so a token in the address opens it. */
export function feedRoutes(api: Api, { sql, clock, config }: ApiContext): void {
  for (const [format, { type, write }] of Object.entries(formats)) {
    const calendar = format === 'ics'
    api.get(
      `/api/v1/routes/:id/feed.${format}`,
      {
        config: { role: 'public' },
        schema: {
          summary: `The route as ${format}`,
          tags: ['feeds'],
          params: z.object({ id: z.uuid() }),
          querystring: z.object({
            token: z.string().max(200),
            limit: z.coerce
              .number()
              .int()
              .min(1)
              .max(calendar ? 5000 : 1000)
              .default(calendar ? 2000 : 100),
            offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
          }),
        },
      },
      async (request, reply) => {
        const { params, query } = request
        const route = await findRoute(sql, params.id)
        if (route === null || !sameToken(route.feedToken, query.token))
          throw notFound('feed', params.id)
        // One more than shown tells whether there is a next page.
        const page = { limit: query.limit + 1, offset: query.offset }
        const since = new Date(clock.now().getTime() - pastEventDays * 86_400_000)
        const entries = calendar
          ? await readCalendarEntries(sql, route.id, since, page)
          : await readEntries(sql, route.id, page)
        const body = write(pageOf(route, entries, request, query, format))
        const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
        void reply.header('etag', etag).header('cache-control', 'private, max-age=60')
        if (request.headers['if-none-match'] === etag) return reply.code(304).send()
        return reply.header('content-type', type).send(body)
      },
    )
  }

  function pageOf(
    route: StoredRoute,
    entries: readonly FeedEntry[],
    request: FastifyRequest,
    query: { limit: number; offset: number; token: string },
    format: string,
  ): FeedPage {
    const base = config.publicUrl ?? `${request.protocol}://${request.host}`
    const address = (offset: number): string =>
      `${base}/api/v1/routes/${route.id}/feed.${format}?token=${route.feedToken}&limit=${query.limit}&offset=${offset}`
    const shown = entries.slice(0, query.limit)
    return {
      route,
      entries: shown,
      updatedAt: newest(shown) ?? route.updatedAt,
      selfUrl: address(query.offset),
      nextUrl: entries.length > query.limit ? address(query.offset + query.limit) : null,
      siteUrl: base,
    }
  }
}

function newest(entries: readonly FeedEntry[]): Date | null {
  let latest: Date | null = null
  for (const { changedAt } of entries) if (latest === null || changedAt > latest) latest = changedAt
  return latest
}

function sameToken(token: string, given: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(token), hash(given))
}

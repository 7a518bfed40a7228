import { z } from 'zod'
import { followChanges } from '../../flows/publish/follow-changes.ts'
import { describeChange, readChanges } from '../../publish/deliveries/changes.ts'
import { findRoute } from '../../publish/routes/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { notFound } from '../problem.ts'
import { streamSse, type SseMessage } from '../sse.ts'

const tags = ['changes']
const cursor = z.string().regex(/^\d{1,15}$/, 'is not a cursor of this API')
const changeShape = z.object({
  cursor: z.string(),
  id: z.string(),
  change: z.enum(['created', 'updated', 'deleted']),
  item_id: z.string(),
  item_version: z.number(),
  item_kind: z.string(),
  matched_topics: z.array(z.string()),
  at: z.date(),
  item: z.record(z.string(), z.unknown()).nullable(),
})
const streamBatch = 500

/** A consumer that stores the cursor can always catch up: created, updated and deleted, in order. */
export function changeRoutes(api: Api, context: ApiContext): void {
  const { sql } = context
  const follower = followChanges(context)

  api.get(
    '/api/v1/changes',
    {
      schema: {
        summary:
          'What changed on a route after the cursor; waits up to `wait` seconds for the first',
        tags,
        querystring: z.object({
          route: z.string().min(1).max(200),
          cursor: cursor.default('0'),
          limit: z.coerce.number().int().min(1).max(1000).default(100),
          wait: z.coerce.number().min(0).max(60).default(0),
        }),
        response: {
          200: z.object({
            data: z.array(changeShape),
            cursor: z.string(),
            has_more: z.boolean(),
          }),
        },
      },
    },
    async ({ query, raw }) => {
      const route = await existing(query.route)
      const deadline = Date.now() + query.wait * 1000
      for (;;) {
        // Listen first, then look: what comes in between is not missed.
        const next = follower.next(deadline - Date.now())
        const rows = await readChanges(sql, route, query.cursor, query.limit + 1)
        if (
          rows.length > 0 ||
          Date.now() >= deadline ||
          raw.destroyed ||
          context.stopping.aborted
        ) {
          next.forget()
          const shown = rows.slice(0, query.limit).map(describe)
          return {
            data: shown,
            cursor: shown.at(-1)?.cursor ?? query.cursor,
            has_more: rows.length > query.limit,
          }
        }
        await next.happened
      }
    },
  )

  api.get(
    '/api/v1/changes/stream',
    {
      schema: {
        summary: 'The changes of a route as they come (SSE); Last-Event-ID or `cursor` resumes',
        tags,
        querystring: z.object({
          route: z.string().min(1).max(200),
          cursor: cursor.optional(),
          last_event_id: cursor.optional(),
        }),
      },
    },
    async (request, reply) => {
      const route = await existing(request.query.route)
      let position: string | null = null
      let reading: Promise<void> = Promise.resolve()
      const readOn = async (onMessage: (message: SseMessage) => void): Promise<void> => {
        for (;;) {
          const rows = await readChanges(sql, route, position ?? '0', streamBatch)
          for (const row of rows) {
            position = row.id
            onMessage({ id: Number(row.id), event: row.change, data: describe(row) })
          }
          if (rows.length < streamBatch) return
        }
      }
      let deliver: ((message: SseMessage) => void) | null = null
      const readSoon = (): void => {
        reading = reading
          .then(async () => {
            if (position !== null && deliver !== null) await readOn(deliver)
          })
          .catch((error: unknown) => {
            request.log.warn(
              { err: error },
              'a stream of changes missed a read; the next catches up',
            )
          })
      }
      await streamSse(
        request,
        reply,
        {
          // The live side reads everything after the cursor, so there is nothing to replay here.
          replay: async (lastId) => {
            position = lastId === null ? (request.query.cursor ?? '0') : String(lastId)
            readSoon()
            return []
          },
          subscribe: async (onMessage) => {
            deliver = onMessage
            return follower.subscribe(readSoon)
          },
        },
        { stopping: context.stopping },
      )
    },
  )

  async function existing(key: string): Promise<string> {
    const route = await findRoute(sql, key)
    if (route === null) throw notFound('route', key)
    return route.id
  }
}

function describe(row: Parameters<typeof describeChange>[0]): z.infer<typeof changeShape> {
  const change = describeChange(row)
  return { ...change, item: change.item === null ? null : { ...change.item } }
}

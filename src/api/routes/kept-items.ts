import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { changesOf } from '../../items/changes.ts'
import { toRss } from '../../items/output.ts'
import type { Row } from '../../items/search/list.ts'
import type { Api, ApiContext } from '../context.ts'
import { notFound } from '../problem.ts'
import {
  changeRow,
  idParams,
  itemRow,
  nextCursor,
  type itemList,
  type pageOf,
} from './item-query.ts'

export interface ItemKindRoutes {
  /** Where its list is. */
  path: '/api/v1/articles' | '/api/v1/calendar'
  /** One of them, in words. */
  name: string
  summary: string
  historySummary: string
  get(id: string): Promise<Row | null>
}

/** One item and its history: the same for whatever is kept. */
export function itemRoutes(api: Api, { sql }: ApiContext, kind: ItemKindRoutes): void {
  const tags = ['items']
  api.get(
    `${kind.path}/:id`,
    { schema: { summary: kind.summary, tags, params: idParams, response: { 200: itemRow } } },
    async (request) => {
      const row = await kind.get(request.params.id)
      if (row === null) throw notFound(kind.name, request.params.id)
      return asItem(row)
    },
  )

  api.get(
    `${kind.path}/:id/history`,
    {
      schema: {
        summary: kind.historySummary,
        tags,
        params: idParams,
        response: { 200: z.object({ data: z.array(changeRow) }) },
      },
    },
    async (request) => ({
      data: (await changesOf(sql, request.params.id)).map((change) => ({ ...change })),
    }),
  )
}

/** A page of a list; `time` is the column it is ordered by, null when it has another order. */
export function listOf(
  { rows, total }: { rows: readonly Row[]; total: number },
  page: ReturnType<typeof pageOf>,
  time: string | null,
): z.infer<typeof itemList> {
  return {
    data: rows.map(asItem),
    total,
    limit: page.limit,
    offset: page.offset,
    next_cursor: nextCursor(rows, page.limit, time ?? '', time !== null),
  }
}

export const rssType = 'application/rss+xml; charset=utf-8'

export function rssOf(
  { config }: ApiContext,
  request: FastifyRequest,
  what: { name: string; description: string },
  entries: Parameters<typeof toRss>[0],
): string {
  return toRss(entries, {
    title: `Millrace: ${what.name}`,
    link: config.publicUrl ?? `${request.protocol}://${request.host}`,
    description: what.description,
  })
}

function asItem(row: Row): z.infer<typeof itemRow> {
  return { ...row, id: String(row['id']), title: String(row['title']) }
}

import { z } from 'zod'
import { changesOf } from '../../items/changes.ts'
import { toRss } from '../../items/output.ts'
import { getArticle, listArticles, type ArticleFilter } from '../../items/search/list.ts'
import type { Api, ApiContext } from '../context.ts'
import { notFound } from '../problem.ts'
import {
  changeRow,
  idParams,
  itemList,
  itemPage,
  itemRow,
  nextCursor,
  pageOf,
} from './item-query.ts'

const tags = ['items']

const filterQuery = z.object({
  search: z.string().max(300).optional(),
  source_id: z.uuid().optional(),
  language: z.string().max(8).optional(),
  section: z.string().max(100).optional(),
  tag: z.string().max(100).optional(),
  from: z.coerce.date().optional(),
  to: z.coerce.date().optional(),
  canonical: z.stringbool().optional(),
  sort: z.enum(['newest', 'relevance']).optional(),
})

export function articleRoutes(api: Api, { sql, config }: ApiContext): void {
  api.get(
    '/api/v1/articles',
    {
      schema: {
        summary: 'Articles, newest first',
        description:
          'Full text in Dutch, English and the bare words; `canonical=true` shows one of each cluster.',
        tags,
        querystring: itemPage.extend(filterQuery.shape),
        response: { 200: itemList },
      },
    },
    async (request) => {
      const page = pageOf(request.query)
      const filter = filterOf(request.query)
      const { rows, total } = await listArticles(sql, filter, page)
      const next_cursor = nextCursor(rows, page.limit, 'sort_at', filter.sort !== 'relevance')
      return { data: rows.map(asItem), total, limit: page.limit, offset: page.offset, next_cursor }
    },
  )

  api.get(
    '/api/v1/articles.rss',
    {
      schema: {
        summary: 'Articles as RSS',
        tags,
        querystring: filterQuery,
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const { rows } = await listArticles(sql, filterOf(request.query), {
        limit: 100,
        offset: 0,
        cursor: null,
      })
      const body = toRss(
        rows.map((row) => ({
          id: String(row['id']),
          title: String(row['title']),
          url: row['url'] as string | null,
          description: String(row['excerpt']),
          at: row['sort_at'] as Date,
          author: row['author'] as string | null,
          categories: row['tags'] as string[],
        })),
        {
          title: 'Millrace: articles',
          link: config.publicUrl ?? '',
          description: 'Articles of the sources Millrace follows',
        },
      )
      return reply.header('content-type', 'application/rss+xml; charset=utf-8').send(body)
    },
  )

  api.get(
    '/api/v1/articles/:id',
    {
      schema: {
        summary: 'One article with its text and where each field came from',
        tags,
        params: idParams,
        response: { 200: itemRow },
      },
    },
    async (request) => {
      const row = await getArticle(sql, request.params.id)
      if (row === null) throw notFound('article', request.params.id)
      return asItem(row)
    },
  )

  api.get(
    '/api/v1/articles/:id/history',
    {
      schema: {
        summary: 'What changed in an article, field by field',
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

function filterOf(query: z.infer<typeof filterQuery>): ArticleFilter {
  const { source_id, ...rest } = query
  return { ...rest, sourceId: source_id }
}

function asItem(row: Record<string, unknown>): z.infer<typeof itemRow> {
  return { ...row, id: String(row['id']), title: String(row['title']) }
}

import { z } from 'zod'
import { getArticle, listArticles, type ArticleFilter } from '../../items/search/list.ts'
import type { Api, ApiContext } from '../context.ts'
import { itemList, itemPage, pageOf, wordsOf } from './item-query.ts'
import { itemRoutes, listOf, rssOf, rssType } from './kept-items.ts'

const tags = ['items']

const filterQuery = z.object({
  search: z.string().max(300).optional(),
  source_id: z.uuid().optional(),
  language: z.string().max(8).optional(),
  section: z.string().max(100).optional(),
  tag: z.string().max(100).optional(),
  topic: z.string().max(100).optional(),
  status: wordsOf(['active', 'vanished']).optional(),
  min_quality: z.coerce.number().min(0).max(100).optional(),
  from: z.coerce.date().optional(),
  to: z.coerce.date().optional(),
  canonical: z.stringbool().optional(),
  sort: z.enum(['newest', 'relevance']).optional(),
})

export function articleRoutes(api: Api, context: ApiContext): void {
  const { sql } = context
  api.get(
    '/api/v1/articles',
    {
      schema: {
        summary: 'Articles, newest first',
        description:
          'Full text in Dutch, English and the bare words; `canonical=true` shows one of each cluster, `status=vanished` those whose page is gone.',
        tags,
        querystring: itemPage.extend(filterQuery.shape),
        response: { 200: itemList },
      },
    },
    async (request) => {
      const page = pageOf(request.query)
      const filter = filterOf(request.query)
      const found = await listArticles(sql, filter, page)
      return listOf(found, page, filter.sort === 'relevance' ? null : 'sort_at')
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
      const entries = rows.map((row) => ({
        id: String(row['id']),
        title: String(row['title']),
        url: row['url'] as string | null,
        description: String(row['excerpt']),
        at: row['sort_at'] as Date,
        author: row['author'] as string | null,
        categories: row['tags'] as string[],
      }))
      const description = 'Articles of the sources Millrace follows'
      const body = rssOf(context, request, { name: 'articles', description }, entries)
      return reply.header('content-type', rssType).send(body)
    },
  )

  itemRoutes(api, context, {
    path: '/api/v1/articles',
    name: 'article',
    summary: 'One article with its text and where each field came from',
    historySummary: 'What changed in an article, field by field',
    get: (id) => getArticle(sql, id),
  })
}

function filterOf(query: z.infer<typeof filterQuery>): ArticleFilter {
  const { source_id, min_quality, ...rest } = query
  return { ...rest, sourceId: source_id, minQuality: min_quality }
}

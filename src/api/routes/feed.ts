import { z } from 'zod'
import { feedWeights, rankFeed } from '../../items/search/feed.ts'
import { categories } from '../../normalize/types.ts'
import type { Api, ApiContext } from '../context.ts'
import { invalid } from '../problem.ts'
import { point, words } from './item-query.ts'

const part = z.number()
const feedRow = z.looseObject({
  id: z.string(),
  title: z.string(),
  score: z.number(),
  score_parts: z.object({
    distance: part,
    category: part,
    time: part,
    reliability: part,
    popularity: part,
  }),
})

export function feedRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/feed',
    {
      schema: {
        summary: 'Upcoming events in the order somebody is likely to care',
        description: `Ranked by distance, liked categories, time, reliability of the source and popularity; each part from 0 to 1 is given with the event. Weights: ${JSON.stringify(feedWeights)}.`,
        tags: ['items'],
        querystring: z.object({
          near: point.optional(),
          likes: words.optional(),
          days: z.coerce.number().int().min(1).max(365).default(30),
          limit: z.coerce.number().int().min(1).max(200).default(50),
          offset: z.coerce.number().int().min(0).max(10_000).default(0),
        }),
        response: {
          200: z.object({
            data: z.array(feedRow),
            weights: z.record(z.string(), z.number()),
            limit: z.number(),
            offset: z.number(),
          }),
        },
      },
    },
    async (request) => {
      const { near, likes, days, limit, offset } = request.query
      const rows = await rankFeed(sql, {
        now: clock.now(),
        days,
        near: near ?? null,
        likes: likesOf(likes ?? []),
        limit,
        offset,
      })
      return { data: rows.map(asFeedRow), weights: { ...feedWeights }, limit, offset }
    },
  )
}

const known = new Set<string>(categories)
const howToLike = `write categories with a liking from 0 to 1, such as music,foodie:0.5, of ${categories.join(', ')}`

/** `music:1,foodie:0.5`; a bare name is liked fully. */
function likesOf(list: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    list.map((word) => {
      const [name = '', liking = '1'] = word.split(':')
      const value = Number(liking)
      if (!known.has(name) || Number.isNaN(value) || value < 0 || value > 1)
        throw invalid([{ field: 'likes', message: howToLike }])
      return [name, value]
    }),
  )
}

function asFeedRow(row: Record<string, unknown>): z.infer<typeof feedRow> {
  const number = (name: string): number => Math.round(Number(row[name]) * 1000) / 1000
  const {
    p_distance: _d,
    p_category: _c,
    p_time: _t,
    p_reliability: _r,
    p_popularity: _p,
    ...rest
  } = row
  return {
    ...rest,
    id: String(row['id']),
    title: String(row['title']),
    score: Number(row['score']),
    score_parts: {
      distance: number('p_distance'),
      category: number('p_category'),
      time: number('p_time'),
      reliability: number('p_reliability'),
      popularity: number('p_popularity'),
    },
  }
}

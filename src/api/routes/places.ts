import { z } from 'zod'
import { findTown } from '../../items/search/towns.ts'
import type { Api, ApiContext } from '../context.ts'

/** Towns by name, so that people need not know coordinates. */
export function placeRoutes(api: Api, { sql }: ApiContext): void {
  api.get(
    '/api/v1/places',
    {
      schema: {
        summary: 'Where a town is; an unknown name gives an empty list',
        tags: ['items'],
        querystring: z.object({
          name: z.string().trim().min(1).max(100),
          country: z
            .string()
            .length(2)
            .transform((code) => code.toUpperCase())
            .default('NL'),
        }),
        response: {
          200: z.object({
            data: z.array(
              z.object({ name: z.string(), country: z.string(), lat: z.number(), lng: z.number() }),
            ),
          }),
        },
      },
    },
    async ({ query }) => {
      // Reading the towns of the world takes seconds; the towns of our own events are at hand.
      const known = await findTown(sql, query.name)
      if (known !== null) return { data: [known] }
      const { gazetteer } = await import('../../normalize/gazetteer/gazetteer.ts')
      const hints = { country: null, near: null, homeCountry: query.country }
      const city = gazetteer().find(query.name, hints)
      if (city === null) return { data: [] }
      const { name, country, lat, lng } = city
      return { data: [{ name, country, lat, lng }] }
    },
  )
}

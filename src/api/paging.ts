import { z } from 'zod'

/** The page of a list: `limit` and `offset`, the same everywhere. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
})

export function pageShape<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), total: z.number(), limit: z.number(), offset: z.number() })
}

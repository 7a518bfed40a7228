import { z } from 'zod'
import { readCursor, writeCursor, type Row } from '../../items/search/list.ts'
import { invalid } from '../problem.ts'

export const itemPage = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
  cursor: z.string().max(200).optional(),
})

export const itemRow = z.looseObject({ id: z.string(), title: z.string() })

export const itemList = z.object({
  data: z.array(itemRow),
  total: z.number(),
  limit: z.number(),
  offset: z.number(),
  next_cursor: z.string().nullable(),
})

export const idParams = z.object({ id: z.uuid() })

export const changeRow = z.looseObject({ id: z.string(), change: z.string(), at: z.date() })

/** Words separated by commas. */
export const words = z
  .string()
  .max(500)
  .transform((text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  )

/** The same from a closed list: a misspelt word would match nothing and say nothing. */
export function wordsOf<T extends string>(known: readonly T[]) {
  return words.pipe(z.array(z.enum(known, { error: `must be among ${known.join(', ')}` })))
}

/** `lat,lng`, as maps write it. */
export const point = z
  .string()
  .regex(
    /^\s*-?\d{1,2}(\.\d+)?\s*,\s*-?\d{1,3}(\.\d+)?\s*$/,
    'write it as lat,lng, such as 52.09,5.12',
  )
  .transform((text) => {
    const [lat = 0, lng = 0] = text.split(',').map(Number)
    return { lat, lng }
  })

export function pageOf(query: z.infer<typeof itemPage>): {
  limit: number
  offset: number
  cursor: string | null
} {
  if (query.cursor !== undefined && readCursor(query.cursor) === null)
    throw invalid([{ field: 'cursor', message: 'is not a cursor of this list' }])
  return { limit: query.limit, offset: query.offset, cursor: query.cursor ?? null }
}

/** Where the next page begins; null at the end or when the list has another order than time. */
export function nextCursor(
  rows: readonly Row[],
  limit: number,
  time: string,
  byTime: boolean,
): string | null {
  const last = rows.at(-1)
  if (!byTime || last === undefined || rows.length < limit) return null
  return writeCursor(last[time] as Date, String(last['id']))
}

import { z } from 'zod'
import { contentTypes } from '../types.ts'

const names = z.array(z.string().trim().min(1).max(200)).max(500)

/** What a route asks of an item. Everything named must hold; naming nothing matches nothing. */
export const routeFilters = z.strictObject({
  topics_any: names.optional(),
  topics_all: names.optional(),
  topics_none: names.optional(),
  min_quality: z.number().int().min(0).max(100).optional(),
  max_quality: z.number().int().min(0).max(100).optional(),
  content_types: z.array(z.enum(contentTypes)).max(20).optional(),
  kinds: z
    .array(z.enum(['article', 'calendar_event']))
    .max(2)
    .optional(),
  sources: z.array(z.uuid()).max(5000).optional(),
  sources_none: z.array(z.uuid()).max(5000).optional(),
  tags_any: names.optional(),
  tags_none: names.optional(),
  languages: names.optional(),
  categories: names.optional(),
  near: z
    .strictObject({
      lat: z.number().min(-90).max(90),
      lng: z.number().min(-180).max(180),
      radius_km: z.number().positive().max(20_100),
    })
    .optional(),
  /** Words that must all occur; "in quotes" as a phrase, with a minus they must not. */
  text: z.string().trim().max(500).optional(),
})

export type RouteFilters = z.infer<typeof routeFilters>

/** Lists that are there but empty ask for nothing. */
export function isEmptyFilter(filters: RouteFilters): boolean {
  return Object.values(filters).every(
    (value) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0),
  )
}

export interface Route {
  id: string
  name: string
  channelId: string | null
  /** The name stage events know the channel by. */
  channelName: string
  filters: RouteFilters
  enabled: boolean
  version: number
}

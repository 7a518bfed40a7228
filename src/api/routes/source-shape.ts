import { z } from 'zod'
import { effectiveConfig } from '../../sources/effective.ts'
import type { GroupSettings } from '../../sources/fields.ts'
import { sourceStates } from '../../flows/list-sources.ts'
import { jobStatuses } from '../../jobs/transition.ts'
import type { Source } from '../../sources/source.ts'

const effectiveValue = z.object({
  value: z.unknown(),
  from: z.enum(['source', 'group', 'default']),
})

/** A source as the API shows it: its own fields, and what holds after inheritance. */
export const sourceShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  kind: z.string(),
  enabled: z.boolean(),
  version: z.number(),
  created_at: z.date(),
  updated_at: z.date(),
  effective: z.record(z.string(), effectiveValue),
})

/** Joined with what its job and breakers say. */
export const listedSourceShape = sourceShape.extend({
  status: z.enum(sourceStates),
  status_reason: z.string().nullable(),
  job_id: z.string().nullable(),
  job_status: z.enum(jobStatuses).nullable(),
  interval_minutes: z.number().nullable(),
  last_run_at: z.date().nullable(),
  last_run_status: z.string().nullable(),
  next_run_at: z.date().nullable(),
  breaker_state: z.enum(['closed', 'open', 'half_open']),
  items_24h: z.number(),
  items_by_hour: z.array(z.number()),
})

export function describeSource<S extends Source>(
  source: S,
  group: GroupSettings | null,
): Omit<S, 'url_key' | 'last_event_at'> & Pick<z.infer<typeof sourceShape>, 'effective'> {
  const { url_key: _key, last_event_at: _at, ...shown } = source
  return { ...shown, effective: effectiveConfig(source, group) }
}

export function etagOf(source: { version: number }): string {
  return `"${source.version}"`
}

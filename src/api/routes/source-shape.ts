import { z } from 'zod'
import { effectiveConfig } from '../../sources/effective.ts'
import type { GroupSettings } from '../../sources/fields.ts'
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

export function describeSource(
  source: Source,
  group: GroupSettings | null,
): z.infer<typeof sourceShape> {
  const { url_key: _key, last_event_at: _at, ...shown } = source
  return { ...shown, effective: effectiveConfig(source, group) }
}

export function etagOf(source: { version: number }): string {
  return `"${source.version}"`
}

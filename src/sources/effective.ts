import { inheritableNames, type GroupSettings, type InheritableField } from './fields.ts'
import type { Source } from './source.ts'

export type Origin = 'source' | 'group' | 'default'

export interface EffectiveValue {
  value: unknown
  from: Origin
}

export type EffectiveConfig = Record<InheritableField, EffectiveValue>

/** What holds when neither the source nor its group says anything. */
export const sourceDefaults = {
  priority: 'normal',
  rate_limit: 10,
  max_depth: 3,
  timezone: 'Europe/Amsterdam',
  locale: 'nl-NL',
  default_lat: null,
  default_lng: null,
  crawl_window_start: null,
  crawl_window_end: null,
  crawl_window_days: null,
  render_mode: 'auto',
  proxy: null,
  deep_scrape_enabled: false,
  tier: 'standard',
} as const satisfies Record<InheritableField, unknown>

/** Values that only make sense as a pair come from the same place. */
const leaders: Partial<Record<InheritableField, InheritableField>> = {
  default_lng: 'default_lat',
  crawl_window_end: 'crawl_window_start',
  crawl_window_days: 'crawl_window_start',
}

/** Every inheritable setting of a source with the place it comes from. */
export function effectiveConfig(
  source: Pick<Source, InheritableField>,
  group: GroupSettings | null,
): EffectiveConfig {
  const entries = inheritableNames.map((field) => {
    const from = originOf(leaders[field] ?? field, source, group)
    const value =
      from === 'source'
        ? source[field]
        : from === 'group'
          ? (group?.[field] ?? null)
          : sourceDefaults[field]
    return [
      field,
      { value, from: value === null && from === 'default' ? 'default' : from },
    ] as const
  })
  return Object.fromEntries(entries) as EffectiveConfig
}

function originOf(
  field: InheritableField,
  source: Pick<Source, InheritableField>,
  group: GroupSettings | null,
): Origin {
  if (source[field] !== null) return 'source'
  return (group?.[field] ?? null) !== null ? 'group' : 'default'
}

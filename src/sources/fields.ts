import { z } from 'zod'

// The field names below are the contract: columns, API, import files and source events share them, so nothing is
// renamed on the way and nothing gets lost.

export const priorities = ['low', 'normal', 'high', 'critical'] as const
export const kinds = ['news', 'events', 'mixed'] as const

const patterns = z
  .array(z.string().min(1).max(500).refine(isPattern, 'is not a valid pattern'))
  .max(100)
const selectorsLimit = 20_000

/** What a group may set for its sources; null in a source means: as the group, or else the default. */
export const inheritableFields = {
  priority: z.enum(priorities).nullable(),
  rate_limit: z.number().positive().max(1000).nullable(),
  max_depth: z.int().min(0).max(20).nullable(),
  timezone: z
    .string()
    .refine(isTimezone, 'is not a time zone, such as Europe/Amsterdam')
    .nullable(),
  locale: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'is not a locale, such as nl-NL')
    .nullable(),
  default_lat: z.number().min(-90).max(90).nullable(),
  default_lng: z.number().min(-180).max(180).nullable(),
  crawl_window_start: z.int().min(0).max(23).nullable(),
  crawl_window_end: z.int().min(0).max(23).nullable(),
  crawl_window_days: z.array(z.int().min(0).max(6)).max(7).nullable(),
  render_mode: z.enum(['auto', 'static', 'browser']).nullable(),
  proxy: z
    .url({ protocol: /^(https?|socks5h?)$/ })
    .max(500)
    .nullable(),
  deep_scrape_enabled: z.boolean().nullable(),
  tier: z.enum(['standard', 'premium', 'probation']).nullable(),
}

const ownFields = {
  name: z.string().trim().min(1).max(200),
  url: z
    .url({ protocol: /^https?$/, error: 'must be a full http:// or https:// address' })
    .max(2000),
  kind: z.enum(kinds),
  enabled: z.boolean(),
  group_id: z.uuid().nullable(),
  selectors: z
    .record(z.string().max(100), z.unknown())
    .refine(
      (value) => JSON.stringify(value).length <= selectorsLimit,
      `is larger than ${selectorsLimit} characters`,
    ),
  preferred_method: z.enum(['hydration', 'json_ld', 'feed', 'dom', 'article']).nullable(),
  detected_cms: z.string().max(100).nullable(),
  feed_urls: z.array(z.url({ protocol: /^https?$/ }).max(2000)).max(50),
  include_patterns: patterns,
  exclude_patterns: patterns,
  tags: z
    .array(z.string().trim().min(1).max(60))
    .max(50)
    .transform((tags) => [...new Set(tags)]),
  notes: z.string().max(10_000),
}

const allFields = { ...ownFields, ...inheritableFields }

/** A whole source, as POST and PUT take it: what is left out gets its default. */
export const sourceInput = z
  .strictObject({
    name: ownFields.name,
    url: ownFields.url,
    kind: ownFields.kind.default('mixed'),
    enabled: ownFields.enabled.default(true),
    group_id: ownFields.group_id.default(null),
    selectors: ownFields.selectors.default({}),
    preferred_method: ownFields.preferred_method.default(null),
    detected_cms: ownFields.detected_cms.default(null),
    feed_urls: ownFields.feed_urls.default([]),
    include_patterns: ownFields.include_patterns.default([]),
    exclude_patterns: ownFields.exclude_patterns.default([]),
    tags: ownFields.tags.default([]),
    notes: ownFields.notes.default(''),
    priority: inheritableFields.priority.default(null),
    rate_limit: inheritableFields.rate_limit.default(null),
    max_depth: inheritableFields.max_depth.default(null),
    timezone: inheritableFields.timezone.default(null),
    locale: inheritableFields.locale.default(null),
    default_lat: inheritableFields.default_lat.default(null),
    default_lng: inheritableFields.default_lng.default(null),
    crawl_window_start: inheritableFields.crawl_window_start.default(null),
    crawl_window_end: inheritableFields.crawl_window_end.default(null),
    crawl_window_days: inheritableFields.crawl_window_days.default(null),
    render_mode: inheritableFields.render_mode.default(null),
    proxy: inheritableFields.proxy.default(null),
    deep_scrape_enabled: inheritableFields.deep_scrape_enabled.default(null),
    tier: inheritableFields.tier.default(null),
  })
  .superRefine(pairsBelongTogether)

export type SourceInput = z.infer<typeof sourceInput>
export type SourceField = keyof SourceInput

/** Only what is named changes. */
export const sourcePatch = z.strictObject(allFields).partial()
export type SourcePatch = z.infer<typeof sourcePatch>

export const groupSettings = z
  .strictObject(inheritableFields)
  .partial()
  .superRefine(pairsBelongTogether)
export type GroupSettings = z.infer<typeof groupSettings>
export type InheritableField = keyof typeof inheritableFields
export const inheritableNames = Object.keys(inheritableFields) as InheritableField[]
export const sourceFieldNames = Object.keys(allFields) as SourceField[]

interface Pairs {
  default_lat?: number | null | undefined
  default_lng?: number | null | undefined
  crawl_window_start?: number | null | undefined
  crawl_window_end?: number | null | undefined
}

/** Half a coordinate or half a window means nothing. */
export function pairsBelongTogether(value: Pairs, context: z.RefinementCtx): void {
  const pairs = [
    ['default_lat', 'default_lng'],
    ['crawl_window_start', 'crawl_window_end'],
  ] as const
  for (const [a, b] of pairs) {
    if ((value[a] ?? null) === null ? (value[b] ?? null) === null : (value[b] ?? null) !== null)
      continue
    context.addIssue({
      code: 'custom',
      path: [(value[a] ?? null) === null ? a : b],
      message: `goes together with ${(value[a] ?? null) === null ? b : a}`,
    })
  }
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Patterns are globs over the path, or regular expressions between slashes. */
function isPattern(text: string): boolean {
  if (!text.startsWith('/') || !text.endsWith('/') || text.length < 3) return true
  try {
    return new RegExp(text.slice(1, -1)) instanceof RegExp
  } catch {
    return false
  }
}

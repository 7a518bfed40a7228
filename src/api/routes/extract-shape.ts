import { z } from 'zod'
import type { RawItem } from '../../extract/types.ts'
import type { TraceStep } from '../../extract/waterfall.ts'
import type { PageSurvey } from '../../flows/parse/survey-page.ts'
import type { Recommendation, RobotsFinding } from '../../flows/survey-url.ts'

export const strategyName = z.enum(['hydration', 'json_ld', 'feed', 'dom', 'article'])

const originShape = z.object({
  strategy: strategyName,
  path: z.string(),
  confidence: z.number(),
  snippet: z.string().optional(),
})

export const rawItemShape = z.object({
  kind: z.enum(['article', 'calendar_event']),
  strategy: strategyName,
  title: z.string(),
  url: z.string().nullable(),
  description: z.string().nullable(),
  image_url: z.string().nullable(),
  language: z.string().nullable(),
  tags: z.array(z.string()),
  confidence: z.number(),
  provenance: z.record(z.string(), originShape),
  calendar: z.looseObject({ start: z.string().nullable(), end: z.string().nullable() }).nullable(),
  article: z.looseObject({ text: z.string(), byline: z.string().nullable() }).nullable(),
})

const traceShape = z.object({
  strategy: strategyName,
  outcome: z.enum(['won', 'filled', 'nothing', 'rejected', 'failed']),
  found: z.number(),
  ms: z.number(),
  note: z.string().optional(),
})

export const surveyShape = z.object({
  url: z.string(),
  status: z.number().nullable(),
  title: z.string().nullable(),
  canonical: z.string().nullable(),
  cms: z.string().nullable(),
  charset: z.string(),
  blocked: z.string().nullable(),
  needs_browser: z.boolean(),
  says_empty: z.boolean(),
  noindex: z.boolean(),
  strategy: strategyName.nullable(),
  items: z.array(rawItemShape),
  trace: z.array(traceShape),
  strategies: z.array(
    z.object({ strategy: strategyName, items: z.array(rawItemShape), step: traceShape }),
  ),
  feeds: z.array(
    z.object({ url: z.string(), title: z.string().nullable(), kind: z.enum(['feed', 'ics']) }),
  ),
  links: z.record(z.string(), z.number()),
  next_pages: z.array(z.string()),
  robots: z
    .object({
      status: z.number().nullable(),
      allowed: z.boolean(),
      crawl_delay_ms: z.number().nullable(),
      sitemaps: z.array(z.string()),
    })
    .nullable(),
  recommended: z.object({
    kind: z.enum(['news', 'events', 'mixed']),
    preferred_method: strategyName.nullable(),
    render_mode: z.enum(['auto', 'browser']),
    feed_urls: z.array(z.string()),
    rate_limit: z.number(),
    interval_minutes: z.number(),
    reasons: z.array(z.string()),
  }),
})

const maxItems = 200

export function describeSurvey(
  found: { url: string; status: number | null; robots: RobotsFinding | null },
  survey: PageSurvey,
  recommended: Recommendation,
): z.infer<typeof surveyShape> {
  const { parsed } = survey
  const links: Record<string, number> = {}
  for (const { kind } of parsed.links) links[kind] = (links[kind] ?? 0) + 1
  return {
    url: found.url,
    status: found.status,
    title: parsed.title,
    canonical: parsed.canonical,
    cms: parsed.cms,
    charset: parsed.charset,
    blocked: parsed.blocked,
    needs_browser: parsed.needsBrowser,
    says_empty: parsed.saysEmpty,
    noindex: parsed.noindex,
    strategy: parsed.strategy,
    items: parsed.items.slice(0, maxItems).map(describeItem),
    trace: parsed.trace satisfies TraceStep[],
    strategies: survey.strategies.map(({ strategy, items, step }) => ({
      strategy,
      items: items.slice(0, maxItems).map(describeItem),
      step,
    })),
    feeds: survey.feeds,
    links,
    next_pages: parsed.nextPages,
    robots: found.robots === null ? null : snakeCased(found.robots),
    recommended: snakeCased(recommended),
  }
}

export function describeItem(item: RawItem): z.infer<typeof rawItemShape> {
  const { imageUrl, calendar, article, ...rest } = item
  return {
    ...rest,
    image_url: imageUrl,
    calendar:
      calendar === null
        ? null
        : { ...snakeCased(calendar), locations: calendar.locations.map(snakeCased) },
    article: article === null ? null : snakeCased(article),
  }
}

type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Uppercase<Head> ? (Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`) : Head}${Snake<Tail>}`
  : S

function snakeCased<T extends object>(value: T): { [K in keyof T & string as Snake<K>]: T[K] } {
  const entries = Object.entries(value).map(([key, inner]) => [
    key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    inner as unknown,
  ])
  return Object.fromEntries(entries) as { [K in keyof T & string as Snake<K>]: T[K] }
}

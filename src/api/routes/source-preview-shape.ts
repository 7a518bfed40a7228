import { z } from 'zod'
import type { RawItem, StrategyName } from '../../extract/types.ts'
import type { TraceStep } from '../../extract/waterfall.ts'
import type { StrategyReading } from '../../flows/parse/survey-page.ts'
import type { SourcePreview } from '../../flows/preview/preview-source.ts'
import { strategyName } from './extract-shape.ts'

const itemKind = z.enum(['article', 'calendar_event'])
const extraState = z.enum(['read', 'failed', 'not_asked'])
const tier = z.enum(['static', 'impersonating', 'browser', 'proxy'])

const sampleShape = z.object({
  kind: itemKind,
  title: z.string(),
  url: z.string().nullable(),
  start: z.string().nullable(),
  end: z.string().nullable(),
  place: z.string().nullable(),
  published_at: z.string().nullable(),
  byline: z.string().nullable(),
  image_url: z.string().nullable(),
  excerpt: z.string().nullable(),
  text_chars: z.number(),
  confidence: z.number(),
})

const setting = <T extends z.ZodType>(value: T) => z.object({ value, why: z.string() })

export const previewShape = z.object({
  url: z.string(),
  /** The source that already has this address. */
  existing_source: z.object({ id: z.string(), name: z.string() }).nullable(),
  robots: z.object({
    verdict: z.enum(['rules', 'allow_all', 'disallow_all']),
    allowed: z.boolean(),
    crawl_delay_ms: z.number().nullable(),
    sitemaps: z.array(z.string()),
    unreachable: z.string().nullable(),
  }),
  page: z.object({
    state: z.enum(['read', 'refused', 'blocked', 'failed', 'unreachable']),
    reason: z.string().nullable(),
    detail: z.string().nullable(),
    url: z.string(),
    status: z.number().nullable(),
    tier: tier.nullable(),
    tried: z.array(z.object({ tier, outcome: z.string(), ms: z.number() })),
    title: z.string().nullable(),
    cms: z.string().nullable(),
    language: z.string().nullable(),
    charset: z.string().nullable(),
    says_empty: z.boolean(),
    noindex: z.boolean(),
    winner: strategyName.nullable(),
    items: z.number(),
    /** Pages with lists that this one links to: often better places to start. */
    listings: z.array(z.object({ url: z.string(), text: z.string() })),
  }),
  strategies: z.array(
    z.object({
      strategy: strategyName,
      outcome: z.string(),
      found: z.number(),
      ms: z.number(),
      note: z.string().nullable(),
      calendar_events: z.number(),
      articles: z.number(),
      /** How many of the items have each field. */
      fields: z.record(z.string(), z.number()),
      samples: z.array(sampleShape),
    }),
  ),
  detail: z
    .object({
      url: z.string(),
      state: extraState,
      reason: z.string().nullable(),
      strategy: strategyName.nullable(),
      item: sampleShape.nullable(),
    })
    .nullable(),
  feeds: z.array(
    z.object({
      url: z.string(),
      title: z.string().nullable(),
      kind: z.enum(['feed', 'ics']),
      origin: z.enum(['page', 'guess']),
      state: extraState,
      reason: z.string().nullable(),
      items: z.number(),
      titles: z.array(z.string()),
    }),
  ),
  sitemaps: z.array(
    z.object({
      url: z.string(),
      origin: z.enum(['robots', 'guess']),
      state: extraState,
      reason: z.string().nullable(),
      entries: z.number(),
      is_index: z.boolean(),
      newest_at: z.date().nullable(),
    }),
  ),
  recommended: z.object({
    name: setting(z.string()),
    kind: setting(z.enum(['news', 'events', 'mixed'])),
    preferred_method: setting(strategyName.nullable()),
    render_mode: setting(z.enum(['auto', 'browser']).nullable()),
    feed_urls: setting(z.array(z.string())),
    rate_limit: setting(z.number().nullable()),
    timezone: setting(z.string().nullable()),
    locale: setting(z.string().nullable()),
    detected_cms: setting(z.string().nullable()),
  }),
  took_ms: z.number(),
})

const samples = 4
const mostListings = 6
const excerptChars = 240

export function describePreview(
  preview: SourcePreview,
  existing: { id: string; name: string } | null,
): z.infer<typeof previewShape> {
  const { robots, page, detail } = preview
  const { survey, ...rest } = page
  const parsed = survey?.parsed ?? null
  return {
    url: preview.url,
    existing_source: existing,
    robots: {
      verdict: robots.verdict,
      allowed: robots.allowed,
      crawl_delay_ms: robots.crawlDelayMs,
      sitemaps: robots.sitemaps.slice(0, 50),
      unreachable: robots.unreachable,
    },
    page: {
      ...rest,
      title: parsed?.title ?? null,
      cms: parsed?.cms ?? null,
      language: survey?.language ?? null,
      charset: parsed?.charset ?? null,
      says_empty: parsed?.saysEmpty ?? false,
      noindex: parsed?.noindex ?? false,
      winner: parsed?.strategy ?? null,
      items: parsed?.items.length ?? 0,
      listings: (parsed?.links ?? [])
        .filter((link) => link.kind === 'listing' && !link.calendarTrap)
        .slice(0, mostListings)
        .map(({ url, text }) => ({ url, text })),
    },
    strategies: oneEach(survey?.strategies ?? []).map(({ strategy, items, steps }) => ({
      strategy,
      outcome: steps.find((step) => step.found > 0)?.outcome ?? steps[0]?.outcome ?? 'nothing',
      found: items.length,
      ms: Math.round(steps.reduce((sum, step) => sum + step.ms, 0)),
      note: items.length > 0 ? null : (steps.find((step) => step.note)?.note ?? null),
      calendar_events: items.filter((item) => item.kind === 'calendar_event').length,
      articles: items.filter((item) => item.kind === 'article').length,
      fields: countFields(items),
      samples: items.slice(0, samples).map(describeSample),
    })),
    detail:
      detail === null
        ? null
        : { ...detail, item: detail.item === null ? null : describeSample(detail.item) },
    feeds: preview.feeds,
    sitemaps: preview.sitemaps.map(({ isIndex, newestAt, ...sitemap }) => ({
      ...sitemap,
      is_index: isIndex,
      newest_at: newestAt,
    })),
    recommended: preview.recommended,
    took_ms: preview.tookMs,
  }
}

/** The DOM is read twice, for calendar events and for articles; to a person that is one strategy. */
function oneEach(
  readings: readonly StrategyReading[],
): { strategy: StrategyName; items: RawItem[]; steps: TraceStep[] }[] {
  const names = [...new Set(readings.map(({ strategy }) => strategy))]
  return names.map((strategy) => {
    const own = readings.filter((reading) => reading.strategy === strategy)
    const items = own.flatMap((reading) => reading.items)
    return { strategy, items, steps: own.map(({ step }) => step) }
  })
}

function describeSample(item: RawItem): z.infer<typeof sampleShape> {
  const { calendar, article } = item
  const text = article?.text ?? ''
  const [place] = calendar?.locations ?? []
  const excerpt = (item.description ?? text).slice(0, excerptChars)
  return {
    kind: item.kind,
    title: item.title,
    url: item.url,
    start: calendar?.start ?? calendar?.timeText ?? null,
    end: calendar?.end ?? null,
    place: [place?.name, place?.city].filter(Boolean).join(', ') || null,
    published_at: article?.publishedAt ?? null,
    byline: article?.byline ?? calendar?.organizer ?? null,
    image_url: item.imageUrl,
    excerpt: excerpt === '' ? null : excerpt,
    text_chars: text.length,
    confidence: item.confidence,
  }
}

const fieldTests: [string, (item: RawItem) => unknown][] = [
  ['title', (item) => item.title],
  ['url', (item) => item.url],
  ['start', (item) => item.calendar?.start ?? item.calendar?.timeText],
  ['end', (item) => item.calendar?.end],
  ['place', (item) => item.calendar?.locations[0]],
  ['price', (item) => item.calendar?.price],
  ['published', (item) => item.article?.publishedAt],
  ['byline', (item) => item.article?.byline],
  ['text', (item) => item.article?.text],
  ['description', (item) => item.description],
  ['image', (item) => item.imageUrl],
]

function countFields(items: readonly RawItem[]): Record<string, number> {
  const counts = fieldTests.map(([name, test]) => [name, items.filter(test).length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

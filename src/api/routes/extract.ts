import { z } from 'zod'
import { createGuard } from '../../crawl/fetch/guard.ts'
import type { FetchTier } from '../../crawl/fetch/types.ts'
import type { ParsePool } from '../../flows/parse/pool.ts'
import { Unparsable } from '../../flows/parse/unparsable.ts'
import { recommend, surveyInput, surveyUrl } from '../../flows/survey-url.ts'
import type { Api, ApiContext } from '../context.ts'
import { problem } from '../problem.ts'
import { describeSurvey, surveyShape } from './extract-shape.ts'

const maxHtmlChars = 5_000_000

const body = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .max(2000)
      .optional(),
    html: z.string().min(1).max(maxHtmlChars).optional(),
    content_type: z.string().max(200).default('text/html; charset=utf-8'),
    kind: z.enum(['news', 'events', 'mixed']).default('mixed'),
  })
  .refine((given) => given.url !== undefined || given.html !== undefined, {
    error: 'either an address or a text is needed',
    path: ['url'],
  })

/** Looks at one page with every strategy, for whoever sets up a source. */
export function extractRoutes(api: Api, context: ApiContext): void {
  const { config, clock } = context
  // Made by the first question: most processes are never asked.
  let pool: ParsePool | null = null
  let tier: FetchTier | null = null
  const parsePool = async (): Promise<ParsePool> => {
    const { createParsePool } = await import('../../flows/parse/pool.ts')
    return (pool ??= createParsePool({ threads: 1 }))
  }
  const staticTier = async (): Promise<FetchTier> => {
    const { createStaticTier } = await import('../../crawl/fetch/static.ts')
    return (tier ??= createStaticTier({
      guard: createGuard({
        allowPrivate: config.allowPrivateNetworks,
        allowedHosts: context.allowedHosts,
      }),
      userAgent: () => config.userAgent,
      timeoutMs: config.fetchTimeoutMs,
      maxBytes: config.maxBodyBytes,
      maxRedirects: config.maxRedirects,
      followRedirects: true,
    }))
  }
  api.addHook('onClose', async () => {
    await pool?.close()
    await tier?.close()
  })
  const deps = {
    fetch: async (request: Parameters<FetchTier['fetch']>[0]) =>
      (await staticTier()).fetch(request),
    survey: async (input: Parameters<ParsePool['survey']>[0]) => (await parsePool()).survey(input),
    userAgent: config.userAgent,
    respectRobots: config.respectRobots,
    now: () => clock.now(),
  }

  api.post(
    '/api/v1/extract',
    {
      config: { role: 'operator' },
      bodyLimit: maxHtmlChars * 2,
      schema: {
        summary: 'Read one page with every strategy side by side; nothing is stored',
        tags: ['extraction'],
        body,
        response: { 200: surveyShape },
      },
    },
    async (request) => {
      const { url, html, content_type: contentType, kind } = request.body
      const preferred =
        kind === 'mixed' ? undefined : kind === 'news' ? 'article' : 'calendar_event'
      try {
        if (html !== undefined) {
          const address = url ?? 'https://example.org/'
          const headers = { 'content-type': contentType }
          const bytes = Buffer.from(html)
          const survey = await deps.survey(surveyInput(address, bytes, headers, deps, preferred))
          const found = { url: address, status: null, robots: null }
          return describeSurvey(found, survey, recommend(survey, null))
        }
        const answer = await surveyUrl(deps, url ?? '', preferred)
        if (!answer.ok)
          throw problem(422, 'The page cannot be read', answer.detail, {
            reason: answer.reason,
            url: answer.url,
            robots_allowed: answer.robots.allowed,
          })
        return describeSurvey(answer, answer.survey, answer.recommended)
      } catch (error) {
        if (!(error instanceof Unparsable)) throw error
        throw problem(422, 'The page cannot be read', error.message, { reason: 'unparsable' })
      }
    },
  )
}

import PQueue from 'p-queue'
import { z } from 'zod'
import { openFetchers, type Fetchers } from '../../crawl/fetch/fetchers.ts'
import { createRobotsCache } from '../../crawl/politeness/robots-cache.ts'
import { createParsePool, type ParsePool } from '../../flows/parse/pool.ts'
import { previewSource, type PreviewDeps } from '../../flows/preview/preview-source.ts'
import { findByAddress, sourceIdentity } from '../../sources/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { problem } from '../problem.ts'
import { describePreview, previewShape } from './source-preview-shape.ts'
import { refusePrivate } from './sources.ts'

/** Each takes a thread and perhaps a browser for some seconds. */
const atOnce = 2
const mostWaiting = 10

/** What an address would be as a source: for the person who is about to add it. */
export function sourcePreviewRoutes(api: Api, context: ApiContext): void {
  const { sql } = context
  const turns = new PQueue({ concurrency: atOnce })
  // Made by the first question: most processes are never asked.
  let tools: Tools | null = null
  api.addHook('onClose', async () => {
    turns.clear()
    await tools?.pool.close()
    await tools?.fetchers.close()
  })

  api.post(
    '/api/v1/sources/preview',
    {
      config: { role: 'operator' },
      schema: {
        summary:
          'Look at an address before it becomes a source: strategies side by side, robots, feeds, settings',
        tags: ['sources'],
        body: z.strictObject({
          url: z
            .url({ protocol: /^https?$/, error: 'must be a full http:// or https:// address' })
            .max(2000),
        }),
        response: { 200: previewShape },
      },
    },
    async (request) => {
      const { url } = request.body
      refusePrivate(context, url)
      if (turns.size >= mostWaiting)
        throw problem(
          429,
          'Busy',
          'Many previews are being made; try again in a moment.',
          {},
          { 'retry-after': '10' },
        )
      tools ??= openTools(context)
      const { deps } = tools
      const [preview, known] = await Promise.all([
        turns.add(() => previewSource(deps, url)),
        findByAddress(sql, [sourceIdentity(url)?.url_key ?? '']),
      ])
      const [existing] = known
      return describePreview(
        preview,
        existing === undefined ? null : { id: existing.id, name: existing.name },
      )
    },
  )
}

interface Tools {
  deps: PreviewDeps
  pool: ParsePool
  fetchers: Fetchers
}

function openTools({ sql, clock, config, allowedHosts }: ApiContext): Tools {
  const fetchers = openFetchers({
    allowPrivate: config.allowPrivateNetworks,
    allowedHosts,
    userAgent: config.userAgent,
    timeoutMs: Math.min(config.fetchTimeoutMs, 10_000),
    maxBytes: config.maxBodyBytes,
    maxRedirects: config.maxRedirects,
    followRedirects: true,
    proxies: config.proxyUrls,
    proxiesForAll: config.proxiesEnabled,
    chromiumPath: config.chromiumPath,
    browserPages: Math.min(1, config.browserPages),
    now: () => clock.now(),
  })
  const pool = createParsePool({ threads: 1 })
  const robots = createRobotsCache({
    db: sql,
    userAgent: config.userAgent,
    fetch: fetchers.fetchRobots,
    now: () => clock.now(),
    floorMs: config.minDelayMs,
  })
  const { userAgent, respectRobots, minDelayMs: floorMs } = config
  const deps = { db: sql, clock, robots, pool, userAgent, respectRobots, floorMs }
  return { deps: { ...deps, ladder: fetchers.ladder }, pool, fetchers }
}

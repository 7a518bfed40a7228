import { z } from 'zod'
import { RetryLater } from '../kernel/errors.ts'

export interface SearchResult {
  url: string
  title: string
  snippet: string
}

/** Asks a search service; throws RetryLater when it is away or wants a pause. */
export type Search = (
  query: string,
  region: { country: string; language: string },
) => Promise<SearchResult[]>

export interface SearchOptions {
  /** Of serper.dev or a service that speaks like it. */
  url: string
  apiKey: string | null
  /** The guarded one: the address comes from configuration. */
  fetch: typeof fetch
  timeoutMs?: number
}

const mostResults = 20
const longestPauseMs = 3_600_000
const answer = z.object({
  organic: z
    .array(
      z.object({
        link: z.url({ protocol: /^https?$/ }),
        title: z.string().default(''),
        snippet: z.string().default(''),
      }),
    )
    .default([]),
})

export function createSearch(options: SearchOptions): Search {
  return async (query, { country, language }) => {
    const response = await options.fetch(options.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.apiKey !== null && { 'x-api-key': options.apiKey }),
      },
      body: JSON.stringify({ q: query, gl: country.toLowerCase(), hl: language, num: mostResults }),
      signal: AbortSignal.timeout(options.timeoutMs ?? 10_000),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new RetryLater(`the search service answered ${response.status}`, {
        retryAfterMs: pauseOf(response),
      })
    }
    const read = answer.safeParse(await response.json().catch(() => null))
    if (!read.success)
      throw new RetryLater('the search service answered something that is no list of results')
    return read.data.organic
      .slice(0, mostResults)
      .map(({ link, title, snippet }) => ({ url: link, title, snippet }))
  }
}

function pauseOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'))
  return seconds > 0 ? Math.min(seconds * 1000, longestPauseMs) : 0
}

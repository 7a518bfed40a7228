import type { ClaimedUrl } from '../../crawl/frontier/types.ts'
import type { ParsedPage } from '../parse/parse-page.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import { readResponse } from './read-response.ts'
import type { CrawlTarget } from './target.ts'

export interface StaleCopy {
  fetchedAt: Date
  parsed: ParsedPage
}

/** What may pass: the copy we have is still what the site would show. */
const passing = new Set<string>(['timeout', 'refused', 'http_5xx', 'blocked', 'rate_limited'])
const freshMs = 86_400_000

/** No tier got the page: the copy of less than a day ago stands in for it, if there is one. */
export async function staleCopy(
  deps: CrawlDeps,
  target: CrawlTarget,
  url: ClaimedUrl,
  reason: string,
): Promise<StaleCopy | null> {
  if (!passing.has(reason) || url.contentHash === null) return null
  const now = deps.clock.now()
  const [page] = await deps.sql<{ hash: string; type: string | null; url: string; at: Date }[]>`
    select encode(content_hash, 'hex') as hash, content_type as type, final_url as url, fetched_at as at from pages
    where frontier_id = ${url.id} and archived and outcome <> 'failed'
      and fetched_at > ${new Date(now.getTime() - freshMs)}
    order by id desc limit 1`
  if (page === undefined) return null
  // A copy that cannot be read is no copy; the failure of the page is what is reported.
  const body = await deps.archive?.get(page.hash).catch(() => null)
  if (!body) return null
  const parsed = await readResponse(deps, target, {
    url: page.url,
    kind: url.kind,
    body,
    headers: page.type === null ? {} : { 'content-type': page.type },
    knownHash: null,
    fetchedAt: page.at,
    isCopy: true,
  }).catch(() => null)
  if (parsed === null || parsed.blocked !== null) return null
  return { fetchedAt: page.at, parsed: { ...parsed, trace: marked(parsed, page.at) } }
}

/** The trace says of what it is the trace. */
function marked({ trace }: ParsedPage, at: Date): ParsedPage['trace'] {
  const note = `stale copy of ${at.toISOString()}`
  return trace.map((step) => ({
    ...step,
    note: step.note === undefined ? note : `${note}; ${step.note}`,
  }))
}

import { admitUrls, refusedUrls } from '../../crawl/frontier/store.ts'
import type { ClaimedUrl } from '../../crawl/frontier/types.ts'
import type { HostRules } from '../../crawl/politeness/robots-cache.ts'
import type { CrawlReason } from '../../crawl/reasons.ts'
import { outOfScope, type Scope } from '../../crawl/scope.ts'
import { isCalendarTrap } from '../../extract/links/calendar-trap.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import type { CrawlTarget } from './target.ts'

/** What may be lifted without any page changing: by robots.txt, by the operator, by time. */
const reasons: readonly CrawlReason[] = [
  'robots',
  'excluded',
  'not_included',
  'depth',
  'calendar_trap',
]
const mostPerRun = 5000
/** Reasons that come from what an operator set. */
const settings = new Set<CrawlReason>(['excluded', 'not_included', 'depth'])

/**
 * Why a URL that is due is not fetched after all: since it was found, robots.txt or the source's settings may have
 * changed, and the month that a view of a calendar shows may have gone by.
 */
export function refusalOf(
  { url, kind, origin, depth }: ClaimedUrl,
  scope: Scope,
  rules: HostRules,
  now: Date,
): CrawlReason | null {
  const asked = origin === 'start' || origin === 'submit' || kind === 'feed' || kind === 'sitemap'
  const outside = asked ? null : outOfScope(url, depth, scope)
  if (outside !== null && settings.has(outside)) return outside
  if (origin === 'link' && isCalendarTrap(url, now)) return 'calendar_trap'
  return rules.allows(url) ? null : 'robots'
}

/** Looks again at what was refused: pages that do not change are not read again, so nobody else would. */
export async function readmit(
  { sql, clock }: Pick<CrawlDeps, 'sql' | 'clock'>,
  target: CrawlTarget,
  rules: HostRules,
): Promise<void> {
  const now = clock.now()
  const origin = `${new URL(target.startUrl).origin}/`
  const refused = await refusedUrls(sql, target.frontierId, reasons, mostPerRun)
  const open = refused.filter(
    ({ url, depth }) =>
      url.startsWith(origin) &&
      outOfScope(url, depth, target.scope) === null &&
      rules.allows(url) &&
      !isCalendarTrap(url, now),
  )
  await admitUrls(
    sql,
    open.map(({ id }) => id),
    now,
  )
}

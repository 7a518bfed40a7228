import { touchUrl } from '../../crawl/frontier/store.ts'
import type { HostRules } from '../../crawl/politeness/robots-cache.ts'
import type { ClaimedRun } from '../../runs/types.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import { readmit } from './readmit.ts'
import { seedsOf } from './seeds.ts'
import type { CrawlTarget } from './target.ts'

/** Makes due where every run begins. A run that goes on where another died keeps what that one already did. */
export async function seedFrontier(
  deps: Pick<CrawlDeps, 'sql' | 'clock'>,
  run: ClaimedRun,
  target: CrawlTarget,
  rules: HostRules,
): Promise<void> {
  if (run.retryCount > 0 || (run.attempts?.length ?? 0) > 0) return
  const now = deps.clock.now()
  if (rules.unreachable === null) await readmit(deps, target, rules)
  for (const seed of seedsOf(target, rules)) await touchUrl(deps.sql, target.frontierId, seed, now)
}

import { addUrls } from '../crawl/frontier/store.ts'
import type { HostRules } from '../crawl/politeness/robots-cache.ts'
import type { Db } from '../db/pool.ts'
import { usualPlaces } from './crawl/seeds.ts'
import type { CrawlTarget } from './crawl/target.ts'

/**
 * When a site is read through and some things were never found, looks where sites usually keep them. Each guess is
 * made once: a known URL is left alone. Returns how many there are to fetch.
 */
export async function tryUsualPlaces(
  db: Db,
  target: CrawlTarget,
  rules: HostRules,
  options: { feeds: boolean },
  now: Date,
): Promise<number> {
  const [known] = await db<{ answered: boolean; feeds: number; items: number }[]>`
    select
      exists (select from frontier where source_id = ${target.frontierId} and depth = 0 and status = 'fetched') as answered,
      (select count(*)::int from frontier where source_id = ${target.frontierId} and kind = 'feed') as feeds,
      (select coalesce(sum(items_found), 0)::int from pages where source_id = ${target.frontierId} and outcome = 'fetched') as items`
  if (known === undefined || !known.answered) return 0
  const guesses = usualPlaces(target, rules, {
    feeds: options.feeds ? known.feeds : 1,
    items: known.items,
  })
  return addUrls(db, target.frontierId, guesses, now)
}

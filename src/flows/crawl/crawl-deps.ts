import type { Archive } from '../../archive/store.ts'
import type { Ladder } from '../../crawl/fetch/ladder.ts'
import type { RobotsCache } from '../../crawl/politeness/robots-cache.ts'
import type { Sql } from '../../db/pool.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { ParsePool } from '../parse/pool.ts'

export interface CrawlDeps {
  sql: Sql
  clock: Clock
  ladder: Ladder
  robots: RobotsCache
  pool: ParsePool
  userAgent: string
  respectRobots: boolean
  floorMs: number
  maxPages: number
  /** Fetches of one run at once. */
  concurrency: number
  archive: Archive | null
  extract: boolean
  /** Read the text of articles by the looks of the page; true when left out. */
  readability?: boolean
  /** Look for feeds in the usual places; true when left out. */
  discoverFeeds?: boolean
  /** Ask feeds for what is new; true when left out. */
  pollFeeds?: boolean
}

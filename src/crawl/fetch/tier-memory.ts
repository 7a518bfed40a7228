import type { Db } from '../../db/pool.ts'
import type { TierMemory } from './ladder.ts'

/** What works is kept with the source; `since` only moves when the tier does. */
export async function rememberTier(
  db: Db,
  sourceId: string,
  memory: TierMemory,
  now: Date,
): Promise<void> {
  await db`
    insert into source_learning as l (source_id, tier, tier_since, tier_retry_at, tier_failures, updated_at)
    values (${sourceId}, ${memory.tier}, ${now}, ${memory.retryAt}, ${memory.failures}, ${now})
    on conflict (source_id) do update set
      tier_since = case when l.tier = excluded.tier then l.tier_since else excluded.tier_since end,
      tier = excluded.tier, tier_retry_at = excluded.tier_retry_at, tier_failures = excluded.tier_failures,
      updated_at = excluded.updated_at`
}

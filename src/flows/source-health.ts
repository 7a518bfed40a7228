import type { Db } from '../db/pool.ts'

/** A row of the source_health view, as the API shows it. */
export interface SourceHealth {
  source_id: string
  name: string
  url: string
  enabled: boolean
  job_status: string | null
  circuit_state: 'closed' | 'open' | 'half_open'
  cooldown_until: Date | null
  is_available: boolean
  unavailable_because: string | null
  consecutive_failures: number
  reliability: number
  historical_items: number
  last_run_at: Date | null
  last_success_at: Date | null
  priority_score: number
}

/** Sources in the order a round takes them. `available`: only those that may be crawled now, or only the others. */
export async function listSourceHealth(
  db: Db,
  available: boolean | null,
  page: { limit: number; offset: number },
): Promise<{ sources: SourceHealth[]; total: number }> {
  const where = available === null ? db`true` : db`(unavailable_because is null) = ${available}`
  const [sources, counted] = await Promise.all([
    db<SourceHealth[]>`
      select source_id, name, url, enabled, job_status, circuit_state, cooldown_until,
        unavailable_because is null as is_available, unavailable_because,
        coalesce(consecutive_failures, 0) as consecutive_failures, reliability,
        coalesce(historical_items, 0)::float8 as historical_items, last_run_at, last_success_at, priority_score
      from source_health where ${where}
      order by priority_score desc, source_id limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from source_health where ${where}`,
  ])
  return { sources, total: counted[0]?.total ?? 0 }
}

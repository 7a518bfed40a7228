import type { Db } from '../../db/pool.ts'

export interface Reputation {
  sourceId: string
  day: string
  items: number
  qualityAvg: number
  duplicates: number
  reputation: number
}

/**
 * The reputation of every source from the items of its last 30 days: the average quality, less what only repeats
 * others (in a cluster whose pick is another item), and drawn to the middle while there are few items. Days before stay
 * as they were, so the course can be seen.
 */
export async function refreshReputation(db: Db, now: Date): Promise<number> {
  const rows = await db`
    insert into source_reputation (source_id, day, items, quality_avg, duplicates, reputation)
    select source_id, ${now}::timestamptz::date, items, quality_avg, duplicates,
      round(least(100, greatest(0, (items * quality_avg * (1 - 0.5 * duplicates::float8 / items) + 10 * 50) / (items + 10))))
    from (
      select c.source_id, count(*)::int as items, avg(c.quality_score)::float8 as quality_avg,
        count(k.id) filter (where k.canonical_id <> c.item_id)::int as duplicates
      from item_classifications c
      left join cluster_members m on m.item_id = c.item_id left join clusters k on k.id = m.cluster_id
      where not c.gone and c.classified_at > ${now}::timestamptz - interval '30 days'
      group by c.source_id) s
    on conflict (source_id, day) do update set items = excluded.items, quality_avg = excluded.quality_avg,
      duplicates = excluded.duplicates, reputation = excluded.reputation
    returning 1`
  return rows.length
}

/** The latest of each source, the best first. */
export async function listReputations(
  db: Db,
  page: { limit: number; offset: number },
): Promise<(Reputation & { sourceName: string; total: number })[]> {
  return db<(Reputation & { sourceName: string; total: number })[]>`
    select s.source_id as "sourceId", coalesce(n.name, '') as "sourceName", s.day::text as day, s.items,
      s.quality_avg::float8 as "qualityAvg", s.duplicates, s.reputation, count(*) over ()::int as total
    from (select distinct on (source_id) * from source_reputation order by source_id, day desc) s
    left join sources n on n.id = s.source_id
    order by s.reputation desc, s.source_id limit ${page.limit} offset ${page.offset}`
}

export async function reputationOf(db: Db, sourceId: string, days: number): Promise<Reputation[]> {
  return db<Reputation[]>`
    select source_id as "sourceId", day::text as day, items, quality_avg::float8 as "qualityAvg", duplicates, reputation
    from source_reputation where source_id = ${sourceId} order by day desc limit ${days}`
}

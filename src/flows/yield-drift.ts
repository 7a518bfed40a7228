import type { Db } from '../db/pool.ts'
import type { StrategyName } from '../extract/types.ts'

export type DriftCause =
  | 'block_page'
  | 'unreachable'
  | 'calendar_empty'
  | 'strategy_vanished'
  | 'fields_missing'
  | 'fewer_items'

/** What a source's last run gave, beside what the same addresses used to give. */
export interface SourceYield {
  sourceId: string
  runId: string
  /** Addresses read in the last run that had given items before. */
  pages: number
  lostPages: number
  expected: number
  actual: number
  blockedPages: number
  failedPages: number
  emptyPages: number
  strategyBefore: StrategyName | null
  strategiesNow: StrategyName[]
  fieldsBefore: Record<string, number>
  fieldsNow: Record<string, number>
}

export interface Drift {
  /** `unknown`: nothing to compare with yet. An empty calendar is no fault. */
  status: 'normal' | 'low' | 'empty' | 'unknown'
  cause: DriftCause | null
  /** Of what was expected, 0 to 1 or more. */
  share: number | null
  missingFields: string[]
  detail: string
}

const minExpected = 3
const lowShare = 0.5
const usualField = 0.6
const rareField = 0.15

/** Tells a broken extractor from an empty calendar, a block page and a source that is simply quiet. */
export function judgeYield(found: SourceYield): Drift {
  const { expected, actual, lostPages } = found
  const missingFields = vanishedFields(found)
  const share = expected === 0 ? null : Number((actual / expected).toFixed(3))
  const answer = (status: Drift['status'], cause: DriftCause | null, detail: string): Drift => ({
    status,
    cause,
    share,
    missingFields,
    detail,
  })
  if (expected < minExpected) return answer('unknown', null, 'too little history to compare with')
  if (actual >= expected * lowShare)
    return missingFields.length === 0
      ? answer('normal', null, `${actual} items, as usual`)
      : answer('low', 'fields_missing', `items no longer have ${missingFields.join(', ')}`)
  const fallen = `${actual} items where ${Math.round(expected)} were usual`
  const most = (pages: number): boolean => pages * 2 >= Math.max(1, lostPages)
  if (most(found.blockedPages)) return answer('low', 'block_page', `${fallen}: blocked`)
  if (most(found.failedPages)) return answer('low', 'unreachable', `${fallen}: not reachable`)
  if (most(found.emptyPages))
    return answer('empty', 'calendar_empty', 'the calendar says that nothing is planned')
  const { strategyBefore: before } = found
  if (before !== null && !found.strategiesNow.includes(before))
    return answer('low', 'strategy_vanished', `${fallen}: ${before} no longer finds anything`)
  return missingFields.length > 0
    ? answer('low', 'fields_missing', `${fallen}, without ${missingFields.join(', ')}`)
    : answer('low', 'fewer_items', fallen)
}

function vanishedFields({ fieldsBefore, fieldsNow, actual }: SourceYield): string[] {
  const before = Math.max(...Object.values(fieldsBefore), 0)
  if (before === 0 || actual === 0) return []
  return Object.entries(fieldsBefore)
    .filter(([, count]) => count / before >= usualField)
    .map(([field]) => field)
    .filter((field) => (fieldsNow[field] ?? 0) / actual < rareField)
}

/** Sources that were crawled lately, for the ones that drift to be picked out. */
export async function recentYields(db: Db, since: Date): Promise<SourceYield[]> {
  const rows = await db<{ id: string }[]>`
    select s.id from sources s where exists (
      select from runs r where r.source_id = s.id and r.completed_at >= ${since})`
  return yieldsOf(
    db,
    rows.map(({ id }) => id),
  )
}

/** Compares each address with itself: the run's other addresses have no say in what this one should give. */
export async function yieldsOf(db: Db, sourceIds: readonly string[]): Promise<SourceYield[]> {
  return db<SourceYield[]>`
    with latest as (
      select wanted.id as source_id, run.run_id
      from unnest(${[...sourceIds]}::uuid[]) as wanted(id)
      cross join lateral (
        select run_id from pages where source_id = wanted.id order by id desc limit 1) run
    ), seen as (
      select l.source_id, l.run_id, p.id, p.frontier_id, p.outcome, p.reason, coalesce(i.items_found, 0) as items,
        i.winning_strategy, coalesce(i.says_empty, false) as says_empty, coalesce(i.fields, '{}') as fields
      from latest l join pages p on p.run_id = l.run_id and p.source_id = l.source_id
      left join scraper_insights i on i.page_id = p.id
      where p.outcome <> 'unchanged'
    ), compared as (
      select s.*, b.usual, b.strategy, b.fields as old_fields
      from seen s cross join lateral (
        select avg(items_found)::float8 as usual, mode() within group (order by winning_strategy) as strategy,
          (array_agg(fields order by page_id desc))[1] as fields
        from (
          select i.items_found, i.winning_strategy, i.fields, i.page_id
          from pages p join scraper_insights i on i.page_id = p.id
          where p.frontier_id = s.frontier_id and p.id < s.id order by p.id desc limit 5) as old
        where items_found > 0) b
      where b.usual > 0
    )
    select c.source_id as "sourceId", c.run_id as "runId", count(*)::int as pages,
      count(*) filter (where items < usual * ${lowShare})::int as "lostPages",
      sum(usual)::float8 as expected, sum(items)::int as actual,
      count(*) filter (where reason = 'blocked')::int as "blockedPages",
      count(*) filter (where outcome = 'failed' and reason is distinct from 'blocked')::int as "failedPages",
      count(*) filter (where says_empty)::int as "emptyPages",
      mode() within group (order by strategy) as "strategyBefore",
      coalesce(array_agg(distinct winning_strategy) filter (where winning_strategy is not null), '{}') as "strategiesNow",
      (select coalesce(jsonb_object_agg(key, n), '{}') from (
        select key, sum(value::int)::int as n from compared o, jsonb_each_text(o.old_fields)
        where o.source_id = c.source_id group by key) f) as "fieldsBefore",
      (select coalesce(jsonb_object_agg(key, n), '{}') from (
        select key, sum(value::int)::int as n from compared o, jsonb_each_text(o.fields)
        where o.source_id = c.source_id group by key) f) as "fieldsNow"
    from compared c group by c.source_id, c.run_id`
}

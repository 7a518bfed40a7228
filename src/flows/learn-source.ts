import type { Tx } from '../db/pool.ts'
import type { ParsedPage } from './parse/parse-page.ts'

export type Lesson = Pick<ParsedPage, 'strategy' | 'learnedPath' | 'cms'>

/** So many pages in a row make a method the preferred one, and so many read by others unmake it. */
const inARow = 3

/**
 * Learns from the pages of one committed batch: which method keeps winning, and where in the state of its pages a
 * source keeps its items. Written past the version of the source on purpose: nobody's edit conflicts with it.
 */
export async function learnFromBatch(
  tx: Tx,
  sourceId: string,
  outcomes: readonly Lesson[],
): Promise<void> {
  const lessons = outcomes.map(({ strategy, learnedPath, cms }) => ({
    strategy,
    path: learnedPath,
    cms,
  }))
  if (!lessons.some(({ strategy, cms }) => strategy !== null || cms !== null)) return
  await tx`
    with lessons as (
      select strategy, path, cms, row_number() over () as at
      from jsonb_to_recordset(${tx.json(lessons)}) as l(strategy text, path text, cms text)
    ), won as (
      select strategy, row_number() over (order by at) as at from lessons where strategy is not null
    ), islands as (
      select strategy, at, at - row_number() over (partition by strategy order by at) as island from won
    ), before as (
      select * from source_learning where source_id = ${sourceId}
    ), streaks as (
      select i.strategy, max(at) as until, count(*)::int + coalesce(
        (select wins_in_a_row from before where min(at) = 1 and winning_strategy = i.strategy), 0) as wins
      from islands i group by strategy, island
    ), last as (
      select strategy, wins from streaks order by until desc limit 1
    ), risen as (
      select strategy from streaks where wins >= ${inARow} order by until desc limit 1
    ), losses as (
      select count(*)::int + case when count(*) = (select count(*) from won)
        then coalesce((select losses_in_a_row from before), 0) else 0 end as n
      from won where at > coalesce(
        (select max(w.at) from won w join before b on w.strategy = b.learned_method), 0)
    ), learned as (
      select case
        when exists (select from risen) then (select strategy from risen)
        when (select n from losses) < ${inARow} then (select learned_method from before)
      end as method
    ), path as (
      select path from lessons where path is not null and path <> ''
      group by path order by count(*) desc, path limit 1
    ), kept as (
      insert into source_learning as l
        (source_id, hydration_path, hydration_path_version, winning_strategy, wins_in_a_row, learned_method, losses_in_a_row)
      select s.id, p.path, case when p.path is null then 0 else 1 end, last.strategy, coalesce(last.wins, 0), learned.method, 0
      from sources s cross join learned left join last on true left join path p on true
      where s.id = ${sourceId}
      on conflict (source_id) do update set
        hydration_path = coalesce(excluded.hydration_path, l.hydration_path),
        hydration_path_version = l.hydration_path_version
          + case when excluded.hydration_path is distinct from coalesce(l.hydration_path, '')
              and excluded.hydration_path is not null then 1 else 0 end,
        winning_strategy = coalesce(excluded.winning_strategy, l.winning_strategy),
        wins_in_a_row = case when excluded.winning_strategy is null then l.wins_in_a_row else excluded.wins_in_a_row end,
        learned_method = excluded.learned_method,
        losses_in_a_row = case when excluded.learned_method is distinct from l.learned_method
          or excluded.learned_method is null then 0 else (select n from losses) end,
        updated_at = now()
    )
    update sources s set
      preferred_method = case when s.preferred_method is not distinct from (select learned_method from before)
        then learned.method else s.preferred_method end,
      detected_cms = coalesce((select cms from lessons where cms is not null order by at desc limit 1), s.detected_cms)
    from learned where s.id = ${sourceId} and (
      (s.preferred_method is not distinct from (select learned_method from before)
        and learned.method is distinct from s.preferred_method)
      or exists (select from lessons where cms is not null and cms is distinct from s.detected_cms))`
}

import type { Sql } from '../../src/db/pool.ts'
import { sourceCount, urlOf } from './generate.ts'

/** The same events in our tables, with the sums computed by window functions over all of them. */
export async function fillOurTables(sql: Sql): Promise<void> {
  await sql.unsafe(`
    select create_stage_partition(month) from (select distinct date_trunc('month', at)::date as month from made) m;
    insert into stage_services (name) values ('bench');
    insert into stage_sources (key, name) select 'source_' || i, 'source_' || i from generate_series(1, ${sourceCount}) as i;
    insert into stage_names (name) values ('v2.0'), ('v2.1'), ('crime'), ('news'), ('mining');
    insert into stage_names (name) select 'articles:' || i from generate_series(0, 6) as i`)
  await sql.unsafe(`
    insert into stage_articles (url, url_hash, domain, source_id, first_seen_at)
    select ${urlOf('article')}, sha256((${urlOf('article')})::bytea), 'site.example.com', source_id, min(at)
    from made group by article, source_id order by article`)
  await sql.unsafe(`
    insert into stage_events (article_id, occurred_at, received_at, key_hash, source_id, service_id, stage, reclassification, metadata)
    select article, at, at, id, source_id, 1, stage, again, metadata from made`)
  await sql.unsafe(`
    insert into stage_marks
    select article, ${[1, 2, 3, 4, 5].map((stage) => lastHour(`stage = ${stage}`)).join(', ')}, ${lastHour('stage = 3 and not again')},
      min(at) filter (where stage = 1), min(at) filter (where stage = 3), min(at) filter (where stage = 5)
    from made group by article`)
  await sql.unsafe(`
    insert into stage_pairs (source_id, hour, lane, next_hour, n)
    with seen as (
      select distinct source_id, article, v.lane, ${hour('at')} as hour
      from made cross join lateral (values (stage::int), (case when stage = 3 and not again then 6 end)) as v (lane)
      where v.lane is not null
    ), following as (
      select source_id, lane, hour, lead(hour, 1, 2147483647) over (partition by article, lane order by hour) as next_hour from seen
    )
    select s.id, hour, lane, next_hour, count(*)
    from following cross join lateral (values (0), (source_id)) as s (id)
    group by 1, 2, 3, 4`)
  await sql.unsafe(`
    insert into stage_tally_hours (kind, source_id, hour, model, value, n)
    select v.kind, s.id, ${hour('at')}, 0, 0, count(*)
    from made
    cross join lateral (values (stage::int), (case when again then 6 end)) as v (kind)
    cross join lateral (values (0), (source_id)) as s (id)
    where v.kind is not null group by 1, 2, 3
    union all
    ${figures('0', hour)}`)
  await sql.unsafe(`
    insert into stage_tally_days
    select kind, source_id, hour / 24, model, value, sum(n) from stage_tally_hours group by 1, 2, 3, 4, 5
    union all
    ${figures('source_id', day)}`)
  for (const table of [
    'stage_articles',
    'stage_marks',
    'stage_events',
    'stage_pairs',
    'stage_tally_hours',
    'stage_tally_days',
  ])
    await sql.unsafe(`vacuum analyze ${table}`)
}

/** Models, scores, topics, channels and latencies: by hour for all sources, by day for each. */
function figures(source: string, bucket: (at: string) => string): string {
  return `
    select v.kind, ${source}, ${bucket('at')}, m.id, coalesce(v.value, n.id, 0), count(*)
    from made
    join stage_names m on m.name = metadata ->> 'model_version'
    cross join lateral (values (10, null, null), (11, (metadata ->> 'quality_score')::int * 100, null),
      (12, null, metadata -> 'topics' ->> 0)) as v (kind, value, name)
    left join stage_names n on n.name = v.name
    where stage = 3 group by 1, 2, 3, 4, 5
    union all
    select 13, ${source}, ${bucket('at')}, 0, n.id, count(*)
    from made join stage_names n on n.name = metadata ->> 'channel' where stage = 5 group by 2, 3, 5
    union all
    select v.kind, ${source}, ${bucket('v.done')}, 0, round(greatest(0, extract(epoch from v.done - v.began)) / 6)::int, count(*)
    from stage_marks m
    join stage_articles a on a.id = m.article_id
    cross join lateral (values (20, m.first_crawled, m.first_classified),
      (21, m.first_classified, m.first_published), (22, m.first_crawled, m.first_published)) as v (kind, began, done)
    where v.began is not null and v.done is not null group by 1, 2, 3, 5`
}

function day(at: string): string {
  return `floor(extract(epoch from ${at}) / 86400)::int`
}

function hour(at: string): string {
  return `floor(extract(epoch from ${at}) / 3600)::int`
}

function lastHour(condition: string): string {
  return `coalesce(max(${hour('at')}) filter (where ${condition}), 0)`
}

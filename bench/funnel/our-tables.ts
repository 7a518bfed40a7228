import type { Sql } from '../../src/db/pool.ts'
import { everyEvent, metadataOf, sourceCount, urlOf } from './generate.ts'
import { withoutIndexes } from './without-indexes.ts'

/** The same events in our tables, with the sums computed from all articles at once. */
export async function fillOurTables(sql: Sql): Promise<void> {
  await sql.unsafe(`
    select create_stage_partition(month) from (select distinct date_trunc('month', crawled)::date as month from made_articles) m;
    insert into stage_services (name) values ('bench');
    insert into stage_sources (key, name) select 'source_' || i, 'source_' || i from generate_series(1, ${sourceCount}) as i;
    insert into stage_names (name) values ('v2.0'), ('v2.1'), ('crime'), ('news'), ('mining');
    insert into stage_names (name) select 'articles:' || i from generate_series(0, 6) as i`)
  await withoutIndexes(sql, ['stage_articles', 'stage_marks', 'stage_events'], async () => {
    await sql.unsafe(`
      insert into stage_articles (url, url_hash, domain, source_id, first_seen_at)
      select url, sha256(url::bytea), 'site.example.com', source_id, crawled
      from (select ${urlOf('article')} as url, source_id, crawled from made_articles order by article) a`)
    await sql.unsafe(`
      insert into stage_marks
      select article, ${hour('coalesce(crawled_again, crawled)')}, ${hour('indexed')},
        ${hour('coalesce(classified_again, classified)')}, ${hour('routed')}, ${hour('published')}, ${hour('classified')},
        crawled, classified, published
      from made_articles`)
    await sql.unsafe(`
      insert into stage_events (article_id, occurred_at, received_at, key_hash, source_id, service_id, stage, reclassification, metadata)
      select article, at, at, (date_part('epoch', at) * 1000)::bigint, source_id, 1, stage, again, ${metadataOf} from made`)
  })
  await withoutIndexes(sql, ['stage_pairs', 'stage_tally_hours', 'stage_tally_days'], async () => {
    await fillSums(sql)
  })
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

async function fillSums(sql: Sql): Promise<void> {
  await sql.unsafe(`
    insert into stage_pairs (source_id, hour, lane, next_hour, n)
    select coalesce(source_id, 0), v.hour, v.lane, v.next_hour, count(*)
    from (select source_id, ${hour('crawled')} as h1, ${hour('crawled_again')} as h1b, ${hour('indexed')} as h2,
      ${hour('classified')} as h3, ${hour('classified_again')} as h3b, ${hour('routed')} as h4, ${hour('published')} as h5
      from made_articles) a
    cross join lateral (values (1, h1, case when h1b > h1 then h1b else ${never} end), (1, nullif(h1b, h1), ${never}),
      (2, h2, ${never}), (3, h3, case when h3b > h3 then h3b else ${never} end), (3, nullif(h3b, h3), ${never}),
      (4, h4, ${never}), (5, h5, ${never}), (6, h3, ${never})) as v (lane, hour, next_hour)
    where v.hour > 0
    group by grouping sets ((source_id, v.hour, v.lane, v.next_hour), (v.hour, v.lane, v.next_hour))`)
  await sql.unsafe(`
    insert into stage_tally_hours (kind, source_id, hour, model, value, n)
    select kind, coalesce(source_id, 0), hour, 0, 0, count(*)
    from (
      select v.kind, source_id, ${hour('v.at')} as hour
      from made_articles
      cross join lateral (select stage, at from (values ${everyEvent}) as e (stage, at, again)
        union all select 6, classified_again) as v (kind, at)
      where v.at is not null
    ) counted
    group by grouping sets ((kind, source_id, hour), (kind, hour))
    union all
    ${figures('0', hour)}`)
  await sql.unsafe(`
    insert into stage_tally_days
    select kind, source_id, hour / 24, model, value, sum(n) from stage_tally_hours group by 1, 2, 3, 4, 5
    union all
    ${figures('source_id', day)}`)
}

/** Models, scores, topics, channels and latencies: by hour for all sources, by day for each. */
function figures(source: string, bucket: (at: string) => string): string {
  return `
    select v.kind, ${source}, ${bucket('j.at')}, m.id, coalesce(v.value, n.id, 0), count(*)
    from made_articles a
    cross join lateral (values ('v2.0', classified), ('v2.1', classified_again)) as j (model, at)
    join stage_names m on m.name = j.model
    cross join lateral (values (10, null, null), (11, (40 + article % 60)::int * 100, null),
      (12, null, case article % 3 when 0 then 'crime' when 1 then 'news' else 'mining' end)) as v (kind, value, name)
    left join stage_names n on n.name = v.name
    where j.at is not null group by 1, 2, 3, 4, 5
    union all
    select 13, ${source}, ${bucket('published')}, 0, n.id, count(*)
    from made_articles join stage_names n on n.name = 'articles:' || (article % 7)
    where published is not null group by 2, 3, 5
    union all
    select v.kind, ${source}, ${bucket('v.done')}, 0, round(greatest(0, extract(epoch from v.done - v.began)) / 6)::int, count(*)
    from made_articles
    cross join lateral (values (20, crawled, classified), (21, classified, published), (22, crawled, published))
      as v (kind, began, done)
    where v.began is not null and v.done is not null group by 1, 2, 3, 5`
}

const never = 2_147_483_647

function day(at: string): string {
  return `floor(date_part('epoch', ${at}) / 86400)::int`
}

/** 0 where there is no time. */
function hour(at: string): string {
  return `coalesce(floor(date_part('epoch', ${at}) / 3600)::int, 0)`
}

import type { Sql } from '../../src/db/pool.ts'

export const sourceCount = 200

/**
 * Stage events over 30 days, the same for the same size: articles pass five stages within half an hour, some are
 * fetched again within three days, some classified again. Chance comes from hashes of the article's number. One row per
 * article says when (`made_articles`), one per event in the order of time (`made`).
 */
export async function generateEvents(sql: Sql, events: number, end: Date): Promise<number> {
  const articles = Math.round(events / 5.24)
  await sql.unsafe(`
    create function chance(article bigint, topic int) returns float8 language sql immutable parallel safe as $$
      select (hashint8(article * 61 + topic)::bigint & 2147483647) / 2147483648.0 $$;
    create function kept(at timestamptz) returns timestamptz language sql immutable parallel safe as $$
      select case when at < timestamptz '${end.toISOString()}' - interval '1 second' then at end $$;
    create unlogged table made_articles as
    select article, source_id, t as crawled,
      kept(case when chance(article, 1) < 0.06 then t + chance(article, 2) * interval '3 days' end) as crawled_again,
      kept(t + interval '20 seconds' + chance(article, 3) * interval '40 seconds') as indexed,
      kept(t + interval '1 minute' + chance(article, 4) * interval '20 minutes') as classified,
      kept(case when chance(article, 5) < 0.18
        then t + interval '30 minutes' + chance(article, 6) * interval '2 days' end) as classified_again,
      kept(t + interval '22 minutes' + chance(article, 7) * interval '10 seconds') as routed,
      kept(t + interval '23 minutes' + chance(article, 8) * interval '1 minute') as published
    from (
      select i::bigint as article, (hashint8(i) & 2147483647) % ${sourceCount} + 1 as source_id,
        timestamptz '${end.toISOString()}' - interval '30 days' + (i::float8 / ${articles}) * interval '30 days' as t
      from generate_series(1, ${articles}) as i
    ) a
    where kept(t) is not null`)
  await sql.unsafe('vacuum analyze made_articles')
  await sql.unsafe(`
    create unlogged table made as
    select article, source_id, s.stage::smallint, s.at, s.again
    from made_articles cross join lateral (values ${everyEvent}) as s (stage, at, again)
    where s.at is not null
    order by s.at`)
  await sql.unsafe('vacuum analyze made')
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from made`
  return row?.n ?? 0
}

export const everyEvent = `(1, crawled, false), (1, crawled_again, false), (2, indexed, false), (3, classified, false),
  (3, classified_again, true), (4, routed, false), (5, published, false)`

export const urlOf = (article: string): string =>
  `'https://site' || (${article} % 997) || '.example.com/news/2026/article-' || ${article} || '-with-a-title-of-usual-length'`

/** What services would say about an event of `made`. */
export const metadataOf = `case
  when stage = 1 then '{"response_code": 200}'::jsonb
  when stage = 3 then jsonb_build_object('quality_score', 40 + (article % 60), 'topics',
    jsonb_build_array(case article % 3 when 0 then 'crime' when 1 then 'news' else 'mining' end),
    'model_version', case when again then 'v2.1' else 'v2.0' end, 'is_reclassification', again)
  when stage = 5 then jsonb_build_object('channel', 'articles:' || (article % 7)) end`

import type { Sql } from '../../src/db/pool.ts'

export const sourceCount = 200

/**
 * Stage events over 30 days, the same for the same size: articles pass five stages within half an hour, some are
 * fetched again within three days, some classified again. Chance comes from hashes of the article's number.
 */
export async function generateEvents(sql: Sql, events: number, end: Date): Promise<number> {
  const articles = Math.round(events / 5.24)
  await sql.unsafe('set statement_timeout = 0')
  await sql.unsafe(`
    create function chance(article bigint, topic int) returns float8 language sql immutable parallel safe as $$
      select (hashint8(article * 61 + topic)::bigint & 2147483647) / 2147483648.0 $$;
    create unlogged table made as
    with articles as (
      select i::bigint as article, (hashint8(i) & 2147483647) % ${sourceCount} + 1 as source_id,
        timestamptz '${end.toISOString()}' - interval '30 days' + (i::float8 / ${articles}) * interval '30 days' as t
      from generate_series(1, ${articles}) as i
    ), passed as (
      select article, source_id, s.stage, s.at, s.again
      from articles, lateral (values
        (1, t, false),
        (1, case when chance(article, 1) < 0.06 then t + chance(article, 2) * interval '3 days' end, false),
        (2, t + interval '20 seconds' + chance(article, 3) * interval '40 seconds', false),
        (3, t + interval '1 minute' + chance(article, 4) * interval '20 minutes', false),
        (3, case when chance(article, 5) < 0.18 then t + interval '30 minutes' + chance(article, 6) * interval '2 days' end, true),
        (4, t + interval '22 minutes' + chance(article, 7) * interval '10 seconds', false),
        (5, t + interval '23 minutes' + chance(article, 8) * interval '1 minute', false)
      ) as s (stage, at, again)
      where s.at is not null
    )
    select row_number() over (order by at, article, stage)::bigint as id, article, source_id, stage::smallint,
      date_trunc('milliseconds', at) as at, again, case
        when stage = 1 then '{"response_code": 200}'::jsonb
        when stage = 3 then jsonb_build_object('quality_score', 40 + (article % 60), 'topics',
          jsonb_build_array(case article % 3 when 0 then 'crime' when 1 then 'news' else 'mining' end),
          'model_version', case when again then 'v2.1' else 'v2.0' end, 'is_reclassification', again)
        when stage = 5 then jsonb_build_object('channel', 'articles:' || (article % 7)) end as metadata
    from passed where at < timestamptz '${end.toISOString()}' - interval '1 second'`)
  await sql.unsafe('analyze made')
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from made`
  return row?.n ?? 0
}

export const urlOf = (article: string): string =>
  `'https://site' || (${article} % 997) || '.example.com/news/2026/article-' || ${article} || '-with-a-title-of-usual-length'`

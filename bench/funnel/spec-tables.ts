import type { Sql } from '../../src/db/pool.ts'
import { metadataOf, urlOf } from './generate.ts'
import { withoutIndexes } from './without-indexes.ts'

/** The tables, indexes and query of the specification, filled with the same events. */
export async function fillSpecTables(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create schema spec;
    create table spec.articles (
      url text primary key, url_hash char(64) not null, domain text not null, source_name text not null,
      first_seen_at timestamptz not null default now(), unique (url_hash));
    create type spec.pipeline_stage as enum ('crawled', 'indexed', 'classified', 'routed', 'published');
    create table spec.stage_ordering (stage spec.pipeline_stage primary key, sort_order smallint not null unique);
    insert into spec.stage_ordering values ('crawled', 1), ('indexed', 2), ('classified', 3), ('routed', 4), ('published', 5);
    create table spec.pipeline_events (
      id bigserial, article_url text not null, stage spec.pipeline_stage not null, occurred_at timestamptz not null,
      received_at timestamptz not null default now(), service_name text not null, metadata jsonb,
      metadata_schema_version smallint not null default 1, idempotency_key text
    ) partition by range (occurred_at)`)
  await sql.unsafe(`
    do $$ declare month date; begin
      for month in select distinct date_trunc('month', crawled)::date from made_articles union select (date_trunc('month', now()) + interval '1 month')::date loop
        execute format('create table spec.%I partition of spec.pipeline_events for values from (%L) to (%L)',
          'pipeline_events_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month');
      end loop; end $$`)
  await withoutIndexes(sql, ['spec.articles'], async () => {
    await sql.unsafe(`
      insert into spec.articles
      select url, encode(sha256(url::bytea), 'hex'), 'site.example.com', 'source_' || source_id, crawled
      from (select ${urlOf('article')} as url, source_id, crawled from made_articles order by article) a`)
  })
  await sql.unsafe(`
    insert into spec.pipeline_events (article_url, stage, occurred_at, received_at, service_name, metadata, idempotency_key)
    select ${urlOf('article')}, (enum_range(null::spec.pipeline_stage))[stage], at, at, 'bench', ${metadataOf},
      'bench:' || stage || ':' || article || ':' || at
    from made`)
  // The events were made from the articles: no need to look every one of them up again.
  await sql.unsafe(`
    alter table spec.pipeline_events add primary key (id, occurred_at);
    alter table spec.pipeline_events add unique (idempotency_key, occurred_at);
    alter table spec.pipeline_events add foreign key (article_url) references spec.articles (url) not valid;
    create index on spec.pipeline_events (stage, occurred_at);
    create index on spec.pipeline_events (article_url);
    create index on spec.pipeline_events (occurred_at);
    create index on spec.articles (source_name);
    create index on spec.articles (domain)`)
  await sql.unsafe('vacuum analyze spec.pipeline_events')
  await sql.unsafe('vacuum analyze spec.articles')
}

export interface SpecStage {
  stage: string
  count: number
  unique_articles: number
}

export async function specFunnel(
  sql: Sql,
  from: Date,
  to: Date,
  source: string | null = null,
): Promise<SpecStage[]> {
  if (source !== null)
    return await sql<SpecStage[]>`
      select pe.stage::text, count(*)::float8 as count, count(distinct pe.article_url)::float8 as unique_articles
      from spec.pipeline_events pe
      join spec.stage_ordering so on pe.stage = so.stage
      join spec.articles a on a.url = pe.article_url and a.source_name = ${source}
      where pe.occurred_at >= ${from} and pe.occurred_at < ${to}
      group by pe.stage, so.sort_order order by so.sort_order`
  return await sql<SpecStage[]>`
    select pe.stage::text, count(*)::float8 as count, count(distinct pe.article_url)::float8 as unique_articles
    from spec.pipeline_events pe
    join spec.stage_ordering so on pe.stage = so.stage
    where pe.occurred_at >= ${from} and pe.occurred_at < ${to}
    group by pe.stage, so.sort_order order by so.sort_order`
}

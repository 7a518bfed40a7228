-- Which article passed which stage and when, in small rows; and the sums that answer the funnel.
-- Hours and days are whole numbers since 1970 (UTC). Source 0 in a sum means all sources together.

create table stage_services (
  id integer generated always as identity primary key,
  name text not null unique
);

-- A source of ours by its id, anybody else's by its name.
create table stage_sources (
  id integer generated always as identity primary key,
  key text not null unique,
  name text not null
);

create index stage_sources_name on stage_sources (name);

-- Model versions, topics and channels.
create table stage_names (
  id integer generated always as identity primary key,
  name text not null unique
);

-- The one row per address. The source that reported it first keeps it, so per-source sums add up to the whole.
create table stage_articles (
  id bigint generated always as identity primary key,
  url text not null,
  url_hash bytea not null unique,
  domain text not null,
  source_id integer not null,
  first_seen_at timestamptz not null
);

create index stage_articles_source on stage_articles (source_id);

-- How far each article has come. Locked by whoever records an event of the article: sums stay exact.
create table stage_marks (
  article_id bigint primary key,
  -- Hour of the latest event; 0: never.
  last_crawled integer not null default 0,
  last_indexed integer not null default 0,
  last_classified integer not null default 0,
  last_routed integer not null default 0,
  last_published integer not null default 0,
  -- Classified, reclassifications left out.
  last_initial integer not null default 0,
  first_crawled timestamptz,
  first_classified timestamptz,
  first_published timestamptz
) with (fillfactor = 60);

create sequence stage_event_ids;

create table stage_events (
  id bigint not null default nextval('stage_event_ids'),
  article_id bigint not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  -- Of the idempotency key, which is unique per article and stage.
  key_hash bigint not null,
  source_id integer not null,
  service_id integer not null,
  stage smallint not null check (stage between 1 and 5),
  schema_version smallint not null default 1,
  reclassification boolean not null default false,
  metadata jsonb
) partition by range (occurred_at);

create index stage_events_time on stage_events (occurred_at);

-- One partition per month. Its unique index does not hold the time: the same key is the same event, whatever the
-- time it claims. PostgreSQL wants such an index on each partition by itself.
create function create_stage_partition(month date) returns boolean language plpgsql as $$
declare
  partition text := 'stage_events_' || to_char(month, 'YYYY_MM');
  lower timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  upper timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
begin
  if to_regclass(partition) is not null then return false; end if;
  execute format('create table %I (like stage_events including defaults including constraints)', partition);
  execute format('create unique index %I on %I (article_id, stage, key_hash)', partition || '_key', partition);
  -- Rows that came before their partition did.
  execute format('with early as (delete from stage_events_default where occurred_at >= %L and occurred_at < %L returning *)
    insert into %I select * from early', lower, upper, partition);
  execute format('alter table stage_events attach partition %I for values from (%L) to (%L)', partition, lower, upper);
  return true;
end $$;

create table stage_events_default partition of stage_events default;
create unique index stage_events_default_key on stage_events_default (article_id, stage, key_hash);

select create_stage_partition((date_trunc('month', now() at time zone 'UTC') + make_interval(months => n))::date)
from generate_series(-1, 2) as n;

-- What was counted, by kind (src/stages/kinds.ts). Writers only append deltas, so nobody waits for a busy row; the
-- fold moves them into hours and days. A sum is always: days or hours, plus deltas.
create table stage_tally_deltas (
  source_id integer not null,
  hour integer not null,
  model integer not null,
  value integer not null,
  n integer not null,
  kind smallint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

create index stage_tally_deltas_source on stage_tally_deltas (source_id);

create table stage_tally_hours (
  kind smallint not null,
  source_id integer not null,
  hour integer not null,
  model integer not null,
  value integer not null,
  n bigint not null,
  primary key (kind, source_id, hour, model, value)
) with (fillfactor = 80);

create table stage_tally_days (
  kind smallint not null,
  source_id integer not null,
  day integer not null,
  model integer not null,
  value integer not null,
  n bigint not null,
  primary key (kind, source_id, day, model, value)
) with (fillfactor = 80);

-- How many articles were seen in `hour` and next in `next_hour` (2147483647: not since), per lane: a stage, or 6 for
-- classified without reclassifications. The distinct articles of any whole hours [a, b) are the sum of n where
-- hour is in [a, b) and next_hour >= b: each article counts once, by its last time in the range.
create table stage_pair_deltas (
  source_id integer not null,
  hour integer not null,
  next_hour integer not null,
  n integer not null,
  lane smallint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

create index stage_pair_deltas_source on stage_pair_deltas (source_id);

create table stage_pairs (
  source_id integer not null,
  hour integer not null,
  lane smallint not null,
  next_hour integer not null,
  n bigint not null,
  primary key (source_id, hour, lane, next_hour)
) with (fillfactor = 80);

create index stage_pairs_open on stage_pairs (source_id, hour) include (lane, n) where next_hour = 2147483647;

-- From here on there are rows; before it only sums by day (UTC). Moves when a month is dropped.
create table stage_horizon (
  only_row boolean primary key default true check (only_row),
  rows_from timestamptz not null
);

insert into stage_horizon (rows_from) values ('-infinity');

-- What looked wrong with the flow of stage events, from when to when.
create table stage_alerts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('stage_silent', 'low_ratio')),
  stage smallint not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  details jsonb not null
);

create unique index stage_alerts_open on stage_alerts (kind, stage) where closed_at is null;

-- Times in which gaps are to be expected, for the reconciliation.
create table stage_outages (
  id bigint generated always as identity primary key,
  -- Null: all stages.
  stage smallint,
  reason text not null,
  began_at timestamptz not null,
  ended_at timestamptz
);

-- How far each backfill has come, so that it goes on where it stopped.
create table stage_backfills (
  name text primary key,
  position text not null,
  done bigint not null default 0,
  created bigint not null default 0,
  finished_at timestamptz,
  updated_at timestamptz not null default now()
);

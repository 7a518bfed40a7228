-- When each source is crawled. A job outlives nothing: its source may vanish first, so there is no foreign key,
-- and reconciliation finds orphans.

create table jobs (
  id uuid primary key,
  source_id uuid not null,
  source_name text not null,
  url text not null,
  -- host[:port] of the url: limits per host count by it.
  host_key text not null default '',
  status text not null check (status in
    ('pending', 'scheduled', 'running', 'completed', 'failed', 'paused', 'cancelled')),
  -- True when source events manage it; at most one such job per source.
  auto_managed boolean not null default false,

  -- Always minutes; interval_type is only how a person wrote it. Null: runs once.
  interval_minutes integer check (interval_minutes > 0),
  interval_type text not null default 'minutes' check (interval_type in ('minutes', 'hours', 'days')),
  schedule_enabled boolean not null default true,
  next_run_at timestamptz,
  -- How the interval came about, step by step, for people.
  schedule_chain jsonb not null default '[]',
  -- What an operator fixed by hand: {interval_minutes, priority, max_concurrent, reason, by, at}.
  override jsonb,

  -- Higher runs sooner, 0 to 100.
  priority integer not null default 50 check (priority between 0 and 100),
  max_concurrent integer not null default 1 check (max_concurrent > 0),
  crawl_window_start smallint check (crawl_window_start between 0 and 23),
  crawl_window_end smallint check (crawl_window_end between 0 and 23),
  -- 0 is Sunday; null or empty means every day.
  crawl_window_days smallint[],

  max_retries integer not null default 3 check (max_retries >= 0),
  retry_backoff_seconds integer not null default 60 check (retry_backoff_seconds > 0),
  current_retry_count integer not null default 0,
  failure_count integer not null default 0,
  last_failure_at timestamptz,
  last_error text,
  backoff_until timestamptz,

  adaptive_scheduling boolean not null default true,
  -- The adapted interval starts from interval_minutes and never goes below it.
  adaptive_interval_minutes integer,
  unchanged_count integer not null default 0,
  content_hash text,
  -- Why the interval is what it is, in words.
  adaptive_reason text,

  paused_at timestamptz,
  paused_reason text,
  cancelled_at timestamptz,
  -- Set by reconciliation when the source is gone.
  orphaned_at timestamptz,
  -- The rhythm: turns fall on phase_at + n intervals. phase_minutes is the interval it was chosen for; when the
  -- two differ, the scheduler finds the job a new place.
  phase_at timestamptz,
  phase_minutes integer,
  -- Position in the 15-minute load map and when it last moved.
  bucket smallint check (bucket between 0 and 95),
  moved_at timestamptz,

  -- The run that is queued or worked on; a job never has two.
  active_run_id uuid,
  last_run_at timestamptz,
  last_run_status text,
  last_success_at timestamptz,
  execution_count integer not null default 0,
  success_count integer not null default 0,
  items_total bigint not null default 0,
  -- Order of source events per source: an older one changes nothing.
  last_event_at timestamptz,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index jobs_one_auto_per_source on jobs (source_id) where auto_managed;
create index jobs_source on jobs (source_id);
-- The scheduler's question: what is due? Small, because only waiting jobs are in it.
create index jobs_due on jobs (next_run_at) where status in ('pending', 'scheduled');
create index jobs_unplaced on jobs (id)
  where status in ('pending', 'scheduled') and phase_minutes is distinct from interval_minutes;
create index jobs_newest on jobs (created_at desc, id);

-- The same rule as inWindow() in src/schedule/window.ts: hours and days in UTC.
create function in_crawl_window(start_hour smallint, end_hour smallint, days smallint[], at timestamptz)
returns boolean language sql immutable parallel safe as $$
  select start_hour is null or end_hour is null or (
    (coalesce(cardinality(days), 0) = 0 or extract(dow from at at time zone 'UTC')::smallint = any (days))
    and case
      when start_hour <= end_hour
        then extract(hour from at at time zone 'UTC') >= start_hour and extract(hour from at at time zone 'UTC') < end_hour
      else extract(hour from at at time zone 'UTC') >= start_hour or extract(hour from at at time zone 'UTC') < end_hour
    end)
$$;

-- The same rule as nextTurn() in src/schedule/rhythm.ts: the first turn of an old rhythm after a moment.
create function next_turn(due timestamptz, interval_minutes integer, at timestamptz)
returns timestamptz language sql immutable parallel safe as $$
  select case
    when interval_minutes is null then null
    when due > at then due
    else due + make_interval(mins => interval_minutes)
      * (floor(extract(epoch from (at - due)) / (interval_minutes * 60)) + 1)
  end
$$;

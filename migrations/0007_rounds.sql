-- Orchestrated rounds: many sources crawled together under one id, summed up when they end.

create table rounds (
  id uuid primary key,
  trigger text not null check (trigger in ('api', 'cron')),
  requested_by text,
  filter jsonb not null default '{}',
  -- Sources that were not enqueued, with the reason: breaker_open, disabled, already_running…
  skipped jsonb not null default '{}',
  sources integer not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz
);

create index rounds_open on rounds (id) where completed_at is null;

-- The scheduler's memory between processes: what it did, counted, and when the daily round last started.
create table scheduler_state (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null
);

-- What a person should know: conditions that hold now or held once, and the messages that told of them.

create table alerts (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What it is about, within its kind: one open alert each.
  subject text not null,
  title text not null,
  details jsonb not null,
  opened_at timestamptz not null,
  last_seen_at timestamptz not null,
  closed_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text
);

create unique index alerts_open on alerts (kind, subject) where closed_at is null;
create index alerts_list on alerts ((closed_at is not null), id desc);

create table notifications (
  id uuid primary key,
  target text not null check (target in ('slack', 'webhook')),
  -- What it tells, so that nothing is told twice: round:<id>, alerts:<first id>-<state>.
  about text not null,
  -- The message without its form: each target has its own.
  message jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  unique (target, about)
);

create index notifications_due on notifications (next_attempt_at) where status = 'pending';
create index notifications_list on notifications (created_at desc, id);

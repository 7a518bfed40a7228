-- Circuits that protect sources, hosts and outside services from being asked again and again while they fail.

create table breakers (
  kind text not null check (kind in ('source', 'host', 'service')),
  key text not null,
  state text not null default 'closed' check (state in ('closed', 'open', 'half_open')),
  failure_count integer not null default 0,
  -- Openings without a success between them: each doubles the cool-down.
  consecutive_opens integer not null default 0,
  last_failure_at timestamptz,
  last_error text,
  opened_at timestamptz,
  cooldown_until timestamptz,
  -- While half open: until then the one probe is under way and nobody else may try.
  probe_until timestamptz,
  updated_at timestamptz not null,
  primary key (kind, key)
);

create index breakers_not_closed on breakers (kind, key) where state <> 'closed';

-- Slow helpers from outside: what to ask them, who asks, and what they answered before.

-- Answers of the geocoder, misses included.
create table geocode_cache (
  query text primary key,
  lat double precision,
  lng double precision,
  answer jsonb,
  asked_at timestamptz not null
);

-- A follow-up is leased like a run: whoever dies in the middle of a call leaves it to the next.
create table follow_ups (
  kind text not null check (kind in ('geocode', 'enrich', 'embed', 'mirror')),
  item_id uuid not null,
  item_kind text not null,
  reason text,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null,
  lease_token uuid,
  lease_until timestamptz,
  primary key (kind, item_id)
) with (fillfactor = 70);

create index follow_ups_due on follow_ups (kind, next_attempt_at);

-- What the AI was asked today.
create table ai_usage (
  day date primary key,
  requests integer not null default 0,
  tokens bigint not null default 0,
  discarded integer not null default 0
);

-- Vectors of an embeddings endpoint, when one is configured.
create table item_embeddings (
  item_id uuid primary key,
  model text not null,
  vector bytea not null,
  made_at timestamptz not null
);

-- What is kept: articles and calendar events, once per source, with what changed and what belongs together.
-- The constraints are the promises to whoever shows them.

-- Fair claiming looks for sources with something to do, then takes a few items of each.
create index raw_items_fair on raw_items (source_id, id) where status = 'pending';
create index raw_items_page on raw_items (page_id);
create index raw_items_run on raw_items (run_id) where status = 'pending';

-- Full text in the item's own language, plus the bare words for names.
create function search_config(language text) returns regconfig language sql immutable parallel safe as $$
  select case language
    when 'nl' then 'pg_catalog.dutch'::regconfig
    when 'en' then 'pg_catalog.english'::regconfig
    when 'de' then 'pg_catalog.german'::regconfig
    when 'fr' then 'pg_catalog.french'::regconfig
    when 'es' then 'pg_catalog.spanish'::regconfig
    when 'it' then 'pg_catalog.italian'::regconfig
    else 'pg_catalog.simple'::regconfig
  end
$$;

create function item_search(language text, title text, names text, body text)
returns tsvector language sql immutable parallel safe as $$
  select setweight(to_tsvector(search_config(language), title), 'A')
    || setweight(to_tsvector('pg_catalog.simple', title || ' ' || names), 'B')
    || setweight(to_tsvector(search_config(language), left(body, 20000)), 'D')
$$;

create function search_query(words text) returns tsquery language sql immutable parallel safe as $$
  select websearch_to_tsquery('pg_catalog.dutch', words)
    || websearch_to_tsquery('pg_catalog.english', words)
    || websearch_to_tsquery('pg_catalog.simple', words)
$$;

-- Kilometres over the earth between two points.
create function distance_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision)
returns double precision language sql immutable parallel safe as $$
  select 12742 * asin(least(1, sqrt(
    sin(radians(lat2 - lat1) / 2) ^ 2
    + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2)))
$$;

create table articles (
  id uuid primary key,
  source_id uuid not null,
  url text not null check (url <> ''),
  url_hash bytea not null,
  fingerprint bytea not null,
  title text not null check (title <> ''),
  description text not null default '',
  text text not null default '',
  markdown text not null default '',
  author text,
  section text,
  published_at timestamptz,
  modified_at timestamptz,
  image_url text,
  language text not null,
  tags text[] not null default '{}',
  word_count integer not null default 0,
  paywalled boolean not null default false,
  quality_score smallint not null default 0,
  confidence_score real not null default 0,
  normalization_method text not null default 'rules' check (normalization_method in ('rules', 'ai', 'hybrid')),
  provenance jsonb not null default '{}',
  -- {field: [value of the rules, better value]}: kept as long as the source still says what it said.
  enriched jsonb not null default '{}',
  strategy text not null,
  -- How well it was seen: 2 on its own page, 1 on a list or in a feed, plus the confidence. Worse never replaces better.
  sight real not null default 1,
  sight_at timestamptz not null,
  raw_item_id bigint not null,
  run_id uuid,
  -- Minhash of the text, for near-duplicates.
  signature bytea,
  -- Order by time without a hole where the date is not told.
  sort_at timestamptz not null,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  search tsvector not null,
  unique (source_id, url_hash)
);

create index articles_time on articles (sort_at desc, id desc);
create index articles_source on articles (source_id, sort_at desc);
create index articles_search on articles using gin (search);

create table calendar_events (
  id uuid primary key,
  source_id uuid not null,
  url text,
  url_hash bytea,
  -- The source's own identifier, when it has one.
  source_uid text,
  event_fingerprint bytea not null,
  title text not null check (title <> ''),
  description text not null default '',
  -- Local day and time at the place of the event.
  event_date date not null,
  event_time text not null check (event_time = 'TBD' or event_time ~ '^[0-2][0-9]:[0-5][0-9]$'),
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at > starts_at),
  all_day boolean not null,
  timezone text not null,
  -- {start, end, certainty, text}
  structured_date jsonb not null,
  venue_name text not null check (venue_name <> ''),
  address text,
  city text,
  postal_code text,
  country text,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  geo_precision text not null check (geo_precision in ('exact', 'address', 'city', 'source', 'country')),
  -- What to ask the geocoder; null when nothing better is to be had.
  geo_query text,
  category text not null check (category in ('active', 'gaming', 'entertainment', 'social', 'family', 'outdoors',
    'music', 'workshops', 'foodie', 'community')),
  category_unsure boolean not null default false,
  language text not null,
  image_url text,
  organizer text,
  price_text text,
  online_url text,
  tags text[] not null default '{}',
  recurring boolean not null default false,
  status text not null default 'active'
    check (status in ('active', 'rescheduled', 'postponed', 'cancelled', 'vanished')),
  -- RFC 5545: rises when the event is moved, called off or comes back.
  sequence integer not null default 0,
  confidence_score real not null default 0,
  normalization_method text not null default 'rules' check (normalization_method in ('rules', 'ai', 'hybrid')),
  provenance jsonb not null default '{}',
  -- {field: [value of the rules, better value]}: kept as long as the source still says what it said.
  enriched jsonb not null default '{}',
  strategy text not null,
  sight real not null default 1,
  sight_at timestamptz not null,
  raw_item_id bigint not null,
  run_id uuid,
  missed_runs smallint not null default 0,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  search tsvector not null,
  unique (source_id, event_fingerprint, event_time)
);

create index calendar_events_url on calendar_events (source_id, url_hash);
create index calendar_events_uid on calendar_events (source_id, source_uid) where source_uid is not null;
create index calendar_events_time on calendar_events (starts_at, lat, lng, id);
create index calendar_events_search on calendar_events using gin (search);
create index calendar_events_source on calendar_events (source_id, starts_at);

-- On which known URLs an event stands: it is gone when the last of them no longer shows it.
create table calendar_carriers (
  frontier_id bigint not null,
  item_id uuid not null references calendar_events on delete cascade,
  run_id uuid,
  primary key (frontier_id, item_id)
);

create index calendar_carriers_item on calendar_carriers (item_id);

-- Runs after which the calendar of their source was looked through for events that are gone.
create table calendar_sweeps (
  run_id uuid primary key,
  source_id uuid not null,
  swept_at timestamptz not null,
  vanished integer not null default 0,
  -- Set when the sweep did not trust the run: 'unhealthy', 'suspicious_loss'.
  skipped text
);

-- Everything that ever changed, in order; `tx` lets a reader see when nothing older can still appear.
create table item_changes (
  id bigint generated always as identity primary key,
  tx xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('article', 'calendar_event')),
  item_id uuid not null,
  source_id uuid not null,
  run_id uuid,
  change text not null check (change in ('created', 'updated', 'rescheduled', 'cancelled', 'vanished', 'restored')),
  -- {field: [before, after]}
  fields jsonb not null default '{}',
  at timestamptz not null
);

create index item_changes_item on item_changes (item_id, id);
create index item_changes_source on item_changes (source_id, id desc);

-- What became of each raw item: the bucket it ended in.
create table staged_items (
  raw_item_id bigint primary key,
  source_id uuid not null,
  run_id uuid,
  kind text not null,
  item_id uuid,
  outcome text not null
    check (outcome in ('created', 'updated', 'unchanged', 'completed', 'failed')),
  reason text,
  staged_at timestamptz not null
);

create index staged_items_item on staged_items (item_id);
create index staged_items_run on staged_items (run_id, outcome);

-- The sites we follow, and the outbox of what happened to them.

create table source_groups (
  id uuid primary key,
  name text not null,
  -- The same names as the inheritable columns of sources.
  settings jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index source_groups_name on source_groups (lower(name));

create table sources (
  id uuid primary key,
  name text not null check (name <> ''),
  url text not null,
  -- Hash of the normalized URL: one source per address.
  url_key text not null,
  host_key text not null,
  kind text not null default 'mixed' check (kind in ('news', 'events', 'mixed')),
  enabled boolean not null default true,
  group_id uuid references source_groups on delete set null,

  -- Null means: from the group, or else the default.
  priority text check (priority in ('low', 'normal', 'high', 'critical')),
  -- Requests per second.
  rate_limit double precision check (rate_limit > 0 and rate_limit <= 1000),
  max_depth integer check (max_depth between 0 and 20),
  timezone text,
  locale text,
  default_lat double precision check (default_lat between -90 and 90),
  default_lng double precision check (default_lng between -180 and 180),
  crawl_window_start smallint check (crawl_window_start between 0 and 23),
  crawl_window_end smallint check (crawl_window_end between 0 and 23),
  crawl_window_days smallint[],
  render_mode text check (render_mode in ('auto', 'static', 'browser')),
  proxy text,
  deep_scrape_enabled boolean,
  tier text check (tier in ('standard', 'premium', 'probation')),

  selectors jsonb not null default '{}',
  preferred_method text check (preferred_method in ('hydration', 'json_ld', 'feed', 'dom', 'article')),
  detected_cms text,
  feed_urls text[] not null default '{}',
  include_patterns text[] not null default '{}',
  exclude_patterns text[] not null default '{}',
  tags text[] not null default '{}',
  notes text not null default '',

  disabled_reason text,
  auto_disabled boolean not null default false,
  auto_disabled_reason text,
  -- Rises with every change; the ETag.
  version integer not null default 1,
  -- Source events of one source have strictly rising times.
  last_event_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  check ((default_lat is null) = (default_lng is null)),
  check ((crawl_window_start is null) = (crawl_window_end is null))
);

create unique index sources_url_key on sources (url_key);
create index sources_group on sources (group_id) where group_id is not null;
create index sources_name on sources (lower(name), id);
create index sources_updated on sources (updated_at desc, id);
create index sources_tags on sources using gin (tags);

create table source_events (
  seq bigint generated always as identity primary key,
  event_id uuid not null unique,
  event_type text not null check (event_type in
    ('SOURCE_CREATED', 'SOURCE_UPDATED', 'SOURCE_DELETED', 'SOURCE_ENABLED', 'SOURCE_DISABLED')),
  source_id uuid not null,
  occurred_at timestamptz not null,
  payload jsonb not null,
  -- local: written with the change itself; stream: another program sent it.
  origin text not null default 'local' check (origin in ('local', 'stream')),
  created_at timestamptz not null default now(),
  relayed_at timestamptz,
  status text not null default 'pending' check (status in ('pending', 'applied', 'ignored', 'quarantined')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  processed_at timestamptz,
  processed_by text,
  -- What it did to the job, or why it did nothing.
  outcome jsonb
);

create index source_events_pending on source_events (seq) where status = 'pending';
create index source_events_unrelayed on source_events (seq) where relayed_at is null and origin = 'local';
create index source_events_source on source_events (source_id, seq desc);

-- How far each source's events have taken effect; it outlives the source and its job.
create table source_event_progress (
  source_id uuid primary key,
  last_applied_at timestamptz not null
);

-- Messages nobody can handle: malformed, or failing for good.
create table source_event_quarantine (
  id bigint generated always as identity primary key,
  stream_id text unique,
  event_id uuid,
  raw text not null,
  reason text not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolution text check (resolution in ('retried', 'discarded'))
);

create index source_event_quarantine_open on source_event_quarantine (id desc) where resolved_at is null;

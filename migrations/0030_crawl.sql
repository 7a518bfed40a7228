-- Known URLs, the hosts behind them, and what was fetched.

create table frontier (
  id bigint generated always as identity primary key,
  source_id uuid not null,
  url text not null,
  -- SHA-256 of the normalized URL: the one identity of a page everywhere.
  url_hash bytea not null,
  kind text not null default 'page' check (kind in ('page', 'listing', 'feed', 'sitemap')),
  origin text not null check (origin in ('start', 'link', 'sitemap', 'feed', 'submit', 'alternative', 'redirect')),
  depth smallint not null default 0,
  -- Higher is fetched sooner.
  priority smallint not null default 50,
  status text not null default 'waiting' check (status in ('waiting', 'fetched', 'failed', 'refused', 'gone', 'moved')),
  -- Why it is refused, failed or gone; the closed list is in src/crawl/reasons.ts.
  reason text,
  -- Null: not to be fetched again.
  next_fetch_at timestamptz,
  interval_minutes integer,
  attempts smallint not null default 0,
  last_status smallint,
  last_error text,
  last_fetched_at timestamptz,
  last_changed_at timestamptz,
  etag text,
  last_modified text,
  content_hash bytea,
  anchor text,
  found_on bigint,
  -- The run that has it in hand.
  claimed_by uuid,
  claimed_until timestamptz,
  first_seen_at timestamptz not null default now(),
  unique (source_id, url_hash)
) with (fillfactor = 80);

create index frontier_due on frontier (source_id, priority desc, id) where next_fetch_at is not null;
create index frontier_status on frontier (source_id, status, id);
create index frontier_url on frontier (url_hash);

create table hosts (
  host_key text primary key,
  -- The next free moment to send a request: reserved ahead by everybody who crawls the host.
  next_slot_at timestamptz not null default 'epoch',
  -- Asked for by the host itself (Retry-After).
  blocked_until timestamptz,
  robots text,
  robots_status smallint,
  -- Set when robots.txt could not be had at all: timeout, refused, dns, tls.
  robots_failure text,
  robots_fetched_at timestamptz,
  robots_expires_at timestamptz,
  crawl_delay_ms integer
) with (fillfactor = 50);

create table pages (
  id bigint generated always as identity primary key,
  source_id uuid not null,
  run_id uuid not null,
  frontier_id bigint not null,
  url text not null,
  final_url text not null,
  status smallint,
  tier text not null,
  outcome text not null check (outcome in ('fetched', 'unchanged', 'failed')),
  reason text,
  content_type text,
  charset text,
  body_bytes integer,
  -- SHA-256 of the body: its name in the archive.
  content_hash bytea,
  archived boolean not null default false,
  title text,
  links_found integer not null default 0,
  items_found integer not null default 0,
  strategy text,
  redirects jsonb,
  fetch_ms integer,
  parse_ms integer,
  fetched_at timestamptz not null
);

create index pages_run on pages (run_id, id);
create index pages_source on pages (source_id, id desc);
create index pages_content on pages (content_hash) where content_hash is not null;

-- Links that leave the site, by the domain they lead to.
create table discovered_domains (
  source_id uuid not null,
  domain text not null,
  links integer not null default 0,
  example_url text not null,
  example_anchor text,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (source_id, domain)
);

-- What was extracted, waiting to be normalized.
create table raw_items (
  id bigint generated always as identity primary key,
  source_id uuid not null,
  run_id uuid,
  page_id bigint,
  url_hash bytea,
  kind text not null check (kind in ('article', 'calendar_event')),
  strategy text not null,
  item jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'normalized', 'failed')),
  reason text,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);

create index raw_items_pending on raw_items (id) where status = 'pending';
create index raw_items_source on raw_items (source_id, id desc);

-- What was tried on a page and what won (scraper_insights of the specification).
create table scraper_insights (
  id bigint generated always as identity primary key,
  source_id uuid not null,
  run_id uuid,
  page_id bigint,
  winning_strategy text,
  strategy_trace jsonb not null,
  items_found integer not null,
  execution_time_ms integer not null,
  created_at timestamptz not null default now()
);

create index scraper_insights_source on scraper_insights (source_id, id desc);

-- What a source taught us: the path in its state, the tier that works, the method that keeps winning.
create table source_learning (
  source_id uuid primary key,
  hydration_path text,
  hydration_path_version integer not null default 0,
  winning_strategy text,
  wins_in_a_row integer not null default 0,
  tier text not null default 'static',
  tier_since timestamptz,
  -- When to try a cheaper tier again.
  tier_retry_at timestamptz,
  tier_failures integer not null default 0,
  updated_at timestamptz not null default now()
);

-- Written by `npm run schema`. Do not edit.

create table ai_usage (
  day date not null,
  requests integer not null default 0,
  tokens bigint not null default 0,
  discarded integer not null default 0,
  constraint ai_usage_pkey PRIMARY KEY (day)
);

create table alerts (
  id bigint not null generated always as identity,
  kind text not null,
  subject text not null,
  title text not null,
  details jsonb not null,
  opened_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  constraint alerts_pkey PRIMARY KEY (id)
);

create table api_keys (
  id uuid not null,
  name text not null,
  prefix text not null,
  key_hash bytea not null,
  role text not null,
  scopes text[] not null default '{}'::text[],
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  daily_quota integer,
  quota_day date,
  quota_used integer not null default 0,
  constraint api_keys_daily_quota_check CHECK ((daily_quota > 0)),
  constraint api_keys_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'admin'::text]))),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_key_hash_key UNIQUE (key_hash)
);

create table archive_bodies (
  hash bytea not null,
  pack uuid not null,
  at integer not null,
  length integer not null,
  constraint archive_bodies_pkey PRIMARY KEY (hash)
);

create table archive_home (
  id uuid not null default gen_random_uuid(),
  only_one boolean not null default true,
  constraint archive_home_only_one_check CHECK (only_one),
  constraint archive_home_pkey PRIMARY KEY (id),
  constraint archive_home_only_one_key UNIQUE (only_one)
);

create table articles (
  id uuid not null,
  source_id uuid not null,
  url text not null,
  url_hash bytea not null,
  fingerprint bytea not null,
  title text not null,
  description text not null default ''::text,
  text text not null default ''::text,
  markdown text not null default ''::text,
  author text,
  section text,
  published_at timestamp with time zone,
  modified_at timestamp with time zone,
  image_url text,
  language text not null,
  tags text[] not null default '{}'::text[],
  word_count integer not null default 0,
  paywalled boolean not null default false,
  quality_score smallint not null default 0,
  confidence_score real not null default 0,
  normalization_method text not null default 'rules'::text,
  provenance jsonb not null default '{}'::jsonb,
  enriched jsonb not null default '{}'::jsonb,
  strategy text not null,
  sight real not null default 1,
  sight_at timestamp with time zone not null,
  raw_item_id bigint not null,
  run_id uuid,
  signature bytea,
  sort_at timestamp with time zone not null,
  first_seen_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  search tsvector not null,
  sight_run_id uuid,
  status text not null default 'active'::text,
  missed_runs smallint not null default 0,
  constraint articles_normalization_method_check CHECK ((normalization_method = ANY (ARRAY['rules'::text, 'ai'::text, 'hybrid'::text]))),
  constraint articles_status_check CHECK ((status = ANY (ARRAY['active'::text, 'vanished'::text]))),
  constraint articles_title_check CHECK ((title <> ''::text)),
  constraint articles_title_says_something CHECK ((btrim(title) <> ''::text)) NOT VALID,
  constraint articles_url_check CHECK ((url <> ''::text)),
  constraint articles_pkey PRIMARY KEY (id),
  constraint articles_url_hash_source_id_key UNIQUE (url_hash, source_id)
);

create table breakers (
  kind text not null,
  key text not null,
  state text not null default 'closed'::text,
  failure_count integer not null default 0,
  consecutive_opens integer not null default 0,
  last_failure_at timestamp with time zone,
  last_error text,
  opened_at timestamp with time zone,
  cooldown_until timestamp with time zone,
  probe_until timestamp with time zone,
  updated_at timestamp with time zone not null,
  constraint breakers_kind_check CHECK ((kind = ANY (ARRAY['source'::text, 'host'::text, 'service'::text]))),
  constraint breakers_state_check CHECK ((state = ANY (ARRAY['closed'::text, 'open'::text, 'half_open'::text]))),
  constraint breakers_pkey PRIMARY KEY (kind, key)
);

create table calendar_carriers (
  frontier_id bigint not null,
  item_id uuid not null,
  run_id uuid,
  constraint calendar_carriers_item_id_fkey FOREIGN KEY (item_id) REFERENCES calendar_events(id) ON DELETE CASCADE,
  constraint calendar_carriers_pkey PRIMARY KEY (frontier_id, item_id)
);

create table calendar_events (
  id uuid not null,
  source_id uuid not null,
  url text,
  url_hash bytea,
  source_uid text,
  event_fingerprint bytea not null,
  title text not null,
  description text not null default ''::text,
  event_date date not null,
  event_time text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  all_day boolean not null,
  timezone text not null,
  structured_date jsonb not null,
  venue_name text not null,
  address text,
  city text,
  postal_code text,
  country text,
  lat double precision not null,
  lng double precision not null,
  geo_precision text not null,
  geo_query text,
  category text not null,
  category_unsure boolean not null default false,
  language text not null,
  image_url text,
  organizer text,
  price_text text,
  online_url text,
  tags text[] not null default '{}'::text[],
  recurring boolean not null default false,
  status text not null default 'active'::text,
  sequence integer not null default 0,
  confidence_score real not null default 0,
  normalization_method text not null default 'rules'::text,
  provenance jsonb not null default '{}'::jsonb,
  enriched jsonb not null default '{}'::jsonb,
  strategy text not null,
  sight real not null default 1,
  sight_at timestamp with time zone not null,
  raw_item_id bigint not null,
  run_id uuid,
  missed_runs smallint not null default 0,
  first_seen_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  search tsvector not null,
  sight_run_id uuid,
  constraint calendar_events_category_check CHECK ((category = ANY (ARRAY['active'::text, 'gaming'::text, 'entertainment'::text, 'social'::text, 'family'::text, 'outdoors'::text, 'music'::text, 'workshops'::text, 'foodie'::text, 'community'::text]))),
  constraint calendar_events_check CHECK ((ends_at > starts_at)),
  constraint calendar_events_event_time_check CHECK (((event_time = 'TBD'::text) OR (event_time ~ '^[0-2][0-9]:[0-5][0-9]$'::text))),
  constraint calendar_events_geo_precision_check CHECK ((geo_precision = ANY (ARRAY['exact'::text, 'address'::text, 'city'::text, 'source'::text, 'country'::text]))),
  constraint calendar_events_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint calendar_events_lng_check CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision))),
  constraint calendar_events_normalization_method_check CHECK ((normalization_method = ANY (ARRAY['rules'::text, 'ai'::text, 'hybrid'::text]))),
  constraint calendar_events_status_check CHECK ((status = ANY (ARRAY['active'::text, 'rescheduled'::text, 'postponed'::text, 'cancelled'::text, 'vanished'::text]))),
  constraint calendar_events_title_check CHECK ((title <> ''::text)),
  constraint calendar_events_title_says_something CHECK ((btrim(title) <> ''::text)) NOT VALID,
  constraint calendar_events_venue_name_check CHECK ((venue_name <> ''::text)),
  constraint calendar_events_pkey PRIMARY KEY (id),
  constraint calendar_events_source_id_event_fingerprint_event_time_key UNIQUE (source_id, event_fingerprint, event_time)
);

create table calendar_sweeps (
  run_id uuid not null,
  source_id uuid not null,
  swept_at timestamp with time zone not null,
  vanished integer not null default 0,
  skipped text,
  constraint calendar_sweeps_pkey PRIMARY KEY (run_id)
);

create table channel_alerts (
  id bigint not null generated always as identity,
  channel_id uuid not null,
  kind text not null,
  details jsonb not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint channel_alerts_kind_check CHECK ((kind = ANY (ARRAY['disabled'::text, 'failing'::text]))),
  constraint channel_alerts_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint channel_alerts_pkey PRIMARY KEY (id)
);

create table channels (
  id uuid not null,
  name text not null,
  kind text not null,
  config jsonb not null,
  secret text,
  old_secret text,
  old_secret_until timestamp with time zone,
  enabled boolean not null default true,
  disabled_reason text,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  resume_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  lease_token uuid,
  lease_until timestamp with time zone,
  last_delivered_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint channels_kind_check CHECK ((kind = ANY (ARRAY['redis_pubsub'::text, 'redis_stream'::text, 'webhook'::text]))),
  constraint channels_name_check CHECK ((name <> ''::text)),
  constraint channels_pkey PRIMARY KEY (id)
);

create table classification_history (
  id bigint not null generated always as identity,
  item_id uuid not null,
  source_id uuid not null,
  item_version integer not null,
  quality_score smallint not null,
  content_type text not null,
  confidence real not null,
  topics text[] not null,
  model_version text not null,
  content_hash text not null,
  is_reclassification boolean not null,
  classified_at timestamp with time zone not null,
  constraint classification_history_pkey PRIMARY KEY (id)
);

create table cluster_members (
  item_id uuid not null,
  cluster_id uuid not null,
  score real not null,
  evidence jsonb not null,
  manual boolean not null default false,
  added_at timestamp with time zone not null,
  constraint cluster_members_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE CASCADE,
  constraint cluster_members_pkey PRIMARY KEY (item_id)
);

create table cluster_separations (
  item_a uuid not null,
  item_b uuid not null,
  by text,
  created_at timestamp with time zone not null,
  constraint cluster_separations_check CHECK ((item_a < item_b)),
  constraint cluster_separations_pkey PRIMARY KEY (item_a, item_b)
);

create table clusters (
  id uuid not null,
  kind text not null,
  canonical_id uuid not null,
  pinned boolean not null default false,
  size integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint clusters_kind_check CHECK ((kind = ANY (ARRAY['article'::text, 'calendar_event'::text]))),
  constraint clusters_size_check CHECK ((size >= 2)),
  constraint clusters_pkey PRIMARY KEY (id)
);

create table dead_letters (
  id uuid not null,
  job_id uuid,
  source_id uuid,
  stage text not null,
  subject text not null,
  error_type text not null,
  error_message text,
  error_stack text,
  payload jsonb not null,
  retry_count integer not null default 0,
  max_retries integer not null default 3,
  next_retry_at timestamp with time zone,
  status text not null default 'pending'::text,
  resolved_at timestamp with time zone,
  resolution_notes text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint dead_letters_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'retrying'::text, 'resolved'::text, 'discarded'::text]))),
  constraint dead_letters_pkey PRIMARY KEY (id)
);

create table dedup_keys (
  day integer not null,
  key bigint not null,
  item_id uuid not null,
  constraint dedup_keys_pkey PRIMARY KEY (day, key, item_id)
);

create table dedup_queue (
  id bigint not null generated always as identity,
  item_id uuid not null,
  kind text not null,
  source_id uuid not null,
  attempts smallint not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  constraint dedup_queue_pkey PRIMARY KEY (id),
  constraint dedup_queue_item_id_key UNIQUE (item_id)
);

create table deliveries (
  id bigint not null generated always as identity,
  route_id uuid not null,
  route_version integer not null,
  channel_id uuid,
  item_id uuid not null,
  item_version integer not null,
  source_id uuid not null,
  kind text not null,
  change text not null,
  matched_topics text[] not null default '{}'::text[],
  stage_url text,
  status text not null,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  delivered_at timestamp with time zone,
  last_error text,
  response_code smallint,
  redis_subscribers integer,
  constraint deliveries_change_check CHECK ((change = ANY (ARRAY['created'::text, 'updated'::text, 'deleted'::text]))),
  constraint deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))),
  constraint deliveries_route_id_fkey FOREIGN KEY (route_id) REFERENCES routes(id) ON DELETE CASCADE,
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_route_id_item_id_route_version_item_version_key UNIQUE (route_id, item_id, route_version, item_version)
);

create table delivery_failures (
  id bigint not null generated always as identity,
  delivery_id bigint not null,
  attempt integer not null,
  error text not null,
  response_code smallint,
  took_ms integer not null,
  failed_at timestamp with time zone not null,
  constraint delivery_failures_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON DELETE CASCADE,
  constraint delivery_failures_pkey PRIMARY KEY (id)
);

create table demo_sites (
  host_key text not null,
  site_key text not null,
  seed integer not null,
  made_at timestamp with time zone not null,
  constraint demo_sites_pkey PRIMARY KEY (host_key),
  constraint demo_sites_site_key_key UNIQUE (site_key)
);

create table discovered_domains (
  source_id uuid not null,
  domain text not null,
  links integer not null default 0,
  example_url text not null,
  example_anchor text,
  first_seen_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  constraint discovered_domains_pkey PRIMARY KEY (source_id, domain)
);

create table discovery_places (
  id uuid not null,
  name text not null,
  country text not null,
  lat double precision not null,
  lng double precision not null,
  population integer not null,
  queries text[] not null,
  status text not null default 'pending'::text,
  checkpoint smallint not null default 0,
  attempts smallint not null default 0,
  next_attempt_at timestamp with time zone not null,
  lease_token uuid,
  found integer not null default 0,
  error text,
  searched_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint discovery_places_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text]))),
  constraint discovery_places_pkey PRIMARY KEY (id),
  constraint discovery_places_country_name_key UNIQUE (country, name)
);

create table follow_ups (
  kind text not null,
  item_id uuid not null,
  item_kind text not null,
  reason text,
  attempts smallint not null default 0,
  next_attempt_at timestamp with time zone not null,
  lease_token uuid,
  lease_until timestamp with time zone,
  constraint follow_ups_kind_check CHECK ((kind = ANY (ARRAY['geocode'::text, 'enrich'::text, 'embed'::text]))),
  constraint follow_ups_pkey PRIMARY KEY (kind, item_id)
);

create table frontier (
  id bigint not null generated always as identity,
  source_id uuid not null,
  url text not null,
  url_hash bytea not null,
  kind text not null default 'page'::text,
  origin text not null,
  depth smallint not null default 0,
  priority smallint not null default 50,
  status text not null default 'waiting'::text,
  reason text,
  next_fetch_at timestamp with time zone,
  interval_minutes integer,
  attempts smallint not null default 0,
  last_status smallint,
  last_error text,
  last_fetched_at timestamp with time zone,
  last_changed_at timestamp with time zone,
  etag text,
  last_modified text,
  content_hash bytea,
  anchor text,
  found_on bigint,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  first_seen_at timestamp with time zone not null default now(),
  constraint frontier_kind_check CHECK ((kind = ANY (ARRAY['page'::text, 'listing'::text, 'feed'::text, 'sitemap'::text]))),
  constraint frontier_origin_check CHECK ((origin = ANY (ARRAY['start'::text, 'link'::text, 'sitemap'::text, 'feed'::text, 'submit'::text, 'alternative'::text, 'redirect'::text]))),
  constraint frontier_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'fetched'::text, 'failed'::text, 'refused'::text, 'gone'::text, 'moved'::text]))),
  constraint frontier_pkey PRIMARY KEY (id),
  constraint frontier_source_id_url_hash_key UNIQUE (source_id, url_hash)
);

create table geocode_cache (
  query text not null,
  lat double precision,
  lng double precision,
  answer jsonb,
  asked_at timestamp with time zone not null,
  constraint geocode_cache_pkey PRIMARY KEY (query)
);

create table hosts (
  host_key text not null,
  next_slot_at timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  blocked_until timestamp with time zone,
  robots text,
  robots_status smallint,
  robots_failure text,
  robots_fetched_at timestamp with time zone,
  robots_expires_at timestamp with time zone,
  crawl_delay_ms integer,
  constraint hosts_pkey PRIMARY KEY (host_key)
);

create table item_changes (
  id bigint not null generated always as identity,
  tx xid8 not null default pg_current_xact_id(),
  kind text not null,
  item_id uuid not null,
  source_id uuid not null,
  run_id uuid,
  change text not null,
  fields jsonb not null default '{}'::jsonb,
  at timestamp with time zone not null,
  constraint item_changes_change_check CHECK ((change = ANY (ARRAY['created'::text, 'updated'::text, 'rescheduled'::text, 'cancelled'::text, 'vanished'::text, 'restored'::text]))),
  constraint item_changes_kind_check CHECK ((kind = ANY (ARRAY['article'::text, 'calendar_event'::text]))),
  constraint item_changes_pkey PRIMARY KEY (id)
);

create table item_classifications (
  item_id uuid not null,
  kind text not null,
  source_id uuid not null,
  version integer not null default 1,
  view_hash bytea not null,
  content_hash text not null,
  quality_score smallint not null,
  quality_parts jsonb not null,
  content_type text not null,
  confidence real not null,
  topics text[] not null,
  topic_scores jsonb not null default '[]'::jsonb,
  model_version text not null,
  language text not null,
  classified_at timestamp with time zone not null,
  gone boolean not null default false,
  constraint item_classifications_quality_score_check CHECK (((quality_score >= 0) AND (quality_score <= 100))),
  constraint item_classifications_topics_check CHECK ((cardinality(topics) <= 5)),
  constraint item_classifications_pkey PRIMARY KEY (item_id)
);

create table item_embeddings (
  item_id uuid not null,
  model text not null,
  vector bytea not null,
  made_at timestamp with time zone not null,
  constraint item_embeddings_pkey PRIMARY KEY (item_id)
);

create table item_versions (
  item_id uuid not null,
  version integer not null,
  payload jsonb not null,
  created_at timestamp with time zone not null,
  constraint item_versions_pkey PRIMARY KEY (item_id, version)
);

create table jobs (
  id uuid not null,
  source_id uuid not null,
  source_name text not null,
  url text not null,
  host_key text not null default ''::text,
  status text not null,
  auto_managed boolean not null default false,
  interval_minutes integer,
  interval_type text not null default 'minutes'::text,
  schedule_enabled boolean not null default true,
  next_run_at timestamp with time zone,
  schedule_chain jsonb not null default '[]'::jsonb,
  override jsonb,
  priority integer not null default 50,
  max_concurrent integer not null default 1,
  crawl_window_start smallint,
  crawl_window_end smallint,
  crawl_window_days smallint[],
  max_retries integer not null default 3,
  retry_backoff_seconds integer not null default 60,
  current_retry_count integer not null default 0,
  failure_count integer not null default 0,
  last_failure_at timestamp with time zone,
  last_error text,
  backoff_until timestamp with time zone,
  adaptive_scheduling boolean not null default true,
  adaptive_interval_minutes integer,
  unchanged_count integer not null default 0,
  content_hash text,
  adaptive_reason text,
  paused_at timestamp with time zone,
  paused_reason text,
  cancelled_at timestamp with time zone,
  orphaned_at timestamp with time zone,
  phase_at timestamp with time zone,
  phase_minutes integer,
  bucket smallint,
  moved_at timestamp with time zone,
  active_run_id uuid,
  last_run_at timestamp with time zone,
  last_run_status text,
  last_success_at timestamp with time zone,
  execution_count integer not null default 0,
  success_count integer not null default 0,
  items_total bigint not null default 0,
  last_event_at timestamp with time zone,
  metadata jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  last_run_problem text,
  constraint jobs_bucket_check CHECK (((bucket >= 0) AND (bucket <= 95))),
  constraint jobs_crawl_window_end_check CHECK (((crawl_window_end >= 0) AND (crawl_window_end <= 23))),
  constraint jobs_crawl_window_start_check CHECK (((crawl_window_start >= 0) AND (crawl_window_start <= 23))),
  constraint jobs_interval_minutes_check CHECK ((interval_minutes > 0)),
  constraint jobs_interval_type_check CHECK ((interval_type = ANY (ARRAY['minutes'::text, 'hours'::text, 'days'::text]))),
  constraint jobs_max_concurrent_check CHECK ((max_concurrent > 0)),
  constraint jobs_max_retries_check CHECK ((max_retries >= 0)),
  constraint jobs_priority_check CHECK (((priority >= 0) AND (priority <= 100))),
  constraint jobs_retry_backoff_seconds_check CHECK ((retry_backoff_seconds > 0)),
  constraint jobs_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'scheduled'::text, 'running'::text, 'completed'::text, 'failed'::text, 'paused'::text, 'cancelled'::text]))),
  constraint jobs_pkey PRIMARY KEY (id)
);

create table login_failures (
  subject text not null,
  failures integer not null,
  last_failed_at timestamp with time zone not null,
  locked_until timestamp with time zone,
  constraint login_failures_pkey PRIMARY KEY (subject)
);

create table login_links (
  token_hash bytea not null,
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint login_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint login_links_pkey PRIMARY KEY (token_hash)
);

create table mirror_documents (
  item_id uuid not null,
  index_name text not null,
  constraint mirror_documents_pkey PRIMARY KEY (item_id)
);

create table mirror_queue (
  item_id uuid not null,
  kind text not null,
  attempts smallint not null default 0,
  queued_at timestamp with time zone not null default clock_timestamp(),
  next_attempt_at timestamp with time zone not null default now(),
  constraint mirror_queue_pkey PRIMARY KEY (item_id)
);

create table mirror_state (
  name text not null,
  started_at timestamp with time zone not null,
  constraint mirror_state_pkey PRIMARY KEY (name)
);

create table notifications (
  id uuid not null,
  target text not null,
  about text not null,
  message jsonb not null,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null,
  delivered_at timestamp with time zone,
  constraint notifications_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))),
  constraint notifications_target_check CHECK ((target = ANY (ARRAY['slack'::text, 'webhook'::text]))),
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_target_about_key UNIQUE (target, about)
);

create table pages (
  id bigint not null generated always as identity,
  source_id uuid not null,
  run_id uuid not null,
  frontier_id bigint not null,
  url text not null,
  final_url text not null,
  status smallint,
  tier text not null,
  outcome text not null,
  reason text,
  content_type text,
  charset text,
  body_bytes integer,
  content_hash bytea,
  archived boolean not null default false,
  title text,
  links_found integer not null default 0,
  items_found integer not null default 0,
  strategy text,
  redirects jsonb,
  fetch_ms integer,
  parse_ms integer,
  fetched_at timestamp with time zone not null,
  stale boolean not null default false,
  headers jsonb,
  constraint pages_outcome_check CHECK ((outcome = ANY (ARRAY['fetched'::text, 'unchanged'::text, 'failed'::text]))),
  constraint pages_pkey PRIMARY KEY (id)
);

create table publish_queue (
  id bigint not null generated always as identity,
  item_id uuid not null,
  kind text not null,
  attempts smallint not null default 0,
  next_attempt_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  reason text,
  constraint publish_queue_kind_check CHECK ((kind = ANY (ARRAY['article'::text, 'calendar_event'::text]))),
  constraint publish_queue_pkey PRIMARY KEY (id),
  constraint publish_queue_item_id_key UNIQUE (item_id)
);

create table publish_versions (
  name text not null,
  version bigint not null,
  constraint publish_versions_pkey PRIMARY KEY (name)
);

create table raw_items (
  id bigint not null generated always as identity,
  source_id uuid not null,
  run_id uuid,
  page_id bigint,
  url_hash bytea,
  kind text not null,
  strategy text not null,
  item jsonb not null,
  status text not null default 'pending'::text,
  reason text,
  attempts smallint not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  constraint raw_items_kind_check CHECK ((kind = ANY (ARRAY['article'::text, 'calendar_event'::text]))),
  constraint raw_items_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'normalized'::text, 'failed'::text]))),
  constraint raw_items_pkey PRIMARY KEY (id)
);

create table reclassifications (
  id uuid not null,
  filter jsonb not null,
  status text not null default 'running'::text,
  total integer not null,
  done integer not null default 0,
  changed integer not null default 0,
  "position" uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  model_version text,
  requested_by text,
  created_at timestamp with time zone not null,
  next_batch_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint reclassifications_status_check CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'cancelled'::text]))),
  constraint reclassifications_pkey PRIMARY KEY (id)
);

create table rounds (
  id uuid not null,
  trigger text not null,
  requested_by text,
  filter jsonb not null default '{}'::jsonb,
  skipped jsonb not null default '{}'::jsonb,
  sources integer not null default 0,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint rounds_trigger_check CHECK ((trigger = ANY (ARRAY['api'::text, 'cron'::text]))),
  constraint rounds_pkey PRIMARY KEY (id)
);

create table route_items (
  route_id uuid not null,
  item_id uuid not null,
  item_version integer not null,
  constraint route_items_route_id_fkey FOREIGN KEY (route_id) REFERENCES routes(id) ON DELETE CASCADE,
  constraint route_items_pkey PRIMARY KEY (route_id, item_id)
);

create table routes (
  id uuid not null,
  name text not null,
  channel_id uuid,
  filters jsonb not null default '{}'::jsonb,
  enabled boolean not null default true,
  version integer not null default 1,
  feed_token text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint routes_name_check CHECK ((name <> ''::text)),
  constraint routes_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE RESTRICT,
  constraint routes_pkey PRIMARY KEY (id)
);

create table run_logs (
  run_id uuid not null,
  id bigint not null,
  job_id uuid,
  at timestamp with time zone not null,
  level text not null,
  category text not null,
  message text not null,
  fields jsonb,
  constraint run_logs_level_check CHECK ((level = ANY (ARRAY['debug'::text, 'info'::text, 'warn'::text, 'error'::text]))),
  constraint run_logs_pkey PRIMARY KEY (run_id, id)
);

create table runs (
  id uuid not null,
  job_id uuid,
  source_id uuid,
  round_id uuid,
  requested_by uuid,
  source_limit smallint,
  priority smallint not null default 50,
  retry_count smallint not null default 0,
  max_retries smallint not null default 3,
  retry_backoff_seconds integer not null default 60,
  execution_number integer,
  status text not null default 'pending'::text,
  trigger text not null default 'schedule'::text,
  host_key text not null default ''::text,
  run_at timestamp with time zone not null,
  rank_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  worker_id uuid,
  lease_token uuid,
  payload jsonb not null default '{}'::jsonb,
  progress jsonb,
  items_crawled integer,
  items_indexed integer,
  counters jsonb,
  error_message text,
  stack_trace text,
  cpu_time_ms integer,
  memory_peak_mb integer,
  content_hash text,
  attempts jsonb,
  log_lines integer not null default 0,
  log_dropped integer not null default 0,
  metadata jsonb,
  constraint runs_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
  constraint runs_trigger_check CHECK ((trigger = ANY (ARRAY['schedule'::text, 'force'::text, 'retry'::text, 'round'::text, 'one_off'::text]))),
  constraint runs_pkey PRIMARY KEY (id)
);

create table scheduler_state (
  key text not null,
  value jsonb not null,
  updated_at timestamp with time zone not null,
  constraint scheduler_state_pkey PRIMARY KEY (key)
);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table scraper_insights (
  id bigint not null generated always as identity,
  source_id uuid not null,
  run_id uuid,
  page_id bigint,
  winning_strategy text,
  strategy_trace jsonb not null,
  items_found integer not null,
  execution_time_ms integer not null,
  created_at timestamp with time zone not null default now(),
  says_empty boolean not null default false,
  fields jsonb not null default '{}'::jsonb,
  constraint scraper_insights_pkey PRIMARY KEY (id)
);

create table search_answers (
  query text not null,
  country text not null,
  results jsonb not null,
  fetched_at timestamp with time zone not null,
  constraint search_answers_pkey PRIMARY KEY (country, query)
);

create table source_candidates (
  id uuid not null,
  url_key text not null,
  url text not null,
  title text not null,
  place_id uuid,
  query text not null,
  confidence real not null,
  reasons text[] not null,
  needs_review boolean not null,
  settings jsonb not null,
  status text not null default 'new'::text,
  source_id uuid,
  note text,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint source_candidates_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
  constraint source_candidates_status_check CHECK ((status = ANY (ARRAY['new'::text, 'accepted'::text, 'rejected'::text]))),
  constraint source_candidates_place_id_fkey FOREIGN KEY (place_id) REFERENCES discovery_places(id) ON DELETE SET NULL,
  constraint source_candidates_pkey PRIMARY KEY (id),
  constraint source_candidates_url_key_key UNIQUE (url_key)
);

create table source_event_progress (
  source_id uuid not null,
  last_applied_at timestamp with time zone not null,
  constraint source_event_progress_pkey PRIMARY KEY (source_id)
);

create table source_event_quarantine (
  id bigint not null generated always as identity,
  stream_id text,
  event_id uuid,
  raw text not null,
  reason text not null,
  created_at timestamp with time zone not null default now(),
  resolved_at timestamp with time zone,
  resolution text,
  constraint source_event_quarantine_resolution_check CHECK ((resolution = ANY (ARRAY['retried'::text, 'discarded'::text]))),
  constraint source_event_quarantine_pkey PRIMARY KEY (id),
  constraint source_event_quarantine_stream_id_key UNIQUE (stream_id)
);

create table source_events (
  seq bigint not null generated always as identity,
  event_id uuid not null,
  event_type text not null,
  source_id uuid not null,
  occurred_at timestamp with time zone not null,
  payload jsonb not null,
  origin text not null default 'local'::text,
  created_at timestamp with time zone not null default now(),
  relayed_at timestamp with time zone,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  processed_at timestamp with time zone,
  processed_by text,
  outcome jsonb,
  constraint source_events_event_type_check CHECK ((event_type = ANY (ARRAY['SOURCE_CREATED'::text, 'SOURCE_UPDATED'::text, 'SOURCE_DELETED'::text, 'SOURCE_ENABLED'::text, 'SOURCE_DISABLED'::text]))),
  constraint source_events_origin_check CHECK ((origin = ANY (ARRAY['local'::text, 'stream'::text]))),
  constraint source_events_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'applied'::text, 'ignored'::text, 'quarantined'::text]))),
  constraint source_events_pkey PRIMARY KEY (seq),
  constraint source_events_event_id_key UNIQUE (event_id)
);

create table source_groups (
  id uuid not null,
  name text not null,
  settings jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint source_groups_pkey PRIMARY KEY (id)
);

create table source_learning (
  source_id uuid not null,
  hydration_path text,
  hydration_path_version integer not null default 0,
  winning_strategy text,
  wins_in_a_row integer not null default 0,
  tier text not null default 'static'::text,
  tier_since timestamp with time zone,
  tier_retry_at timestamp with time zone,
  tier_failures integer not null default 0,
  updated_at timestamp with time zone not null default now(),
  learned_method text,
  losses_in_a_row integer not null default 0,
  constraint source_learning_pkey PRIMARY KEY (source_id)
);

create table source_reputation (
  source_id uuid not null,
  day date not null,
  items integer not null,
  quality_avg real not null,
  duplicates integer not null,
  reputation smallint not null,
  constraint source_reputation_reputation_check CHECK (((reputation >= 0) AND (reputation <= 100))),
  constraint source_reputation_pkey PRIMARY KEY (source_id, day)
);

create table sources (
  id uuid not null,
  name text not null,
  url text not null,
  url_key text not null,
  host_key text not null,
  kind text not null default 'mixed'::text,
  enabled boolean not null default true,
  group_id uuid,
  priority text,
  rate_limit double precision,
  max_depth integer,
  timezone text,
  locale text,
  default_lat double precision,
  default_lng double precision,
  crawl_window_start smallint,
  crawl_window_end smallint,
  crawl_window_days smallint[],
  render_mode text,
  proxy text,
  deep_scrape_enabled boolean,
  tier text,
  selectors jsonb not null default '{}'::jsonb,
  preferred_method text,
  detected_cms text,
  feed_urls text[] not null default '{}'::text[],
  include_patterns text[] not null default '{}'::text[],
  exclude_patterns text[] not null default '{}'::text[],
  tags text[] not null default '{}'::text[],
  notes text not null default ''::text,
  disabled_reason text,
  auto_disabled boolean not null default false,
  auto_disabled_reason text,
  version integer not null default 1,
  last_event_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint sources_check CHECK (((default_lat IS NULL) = (default_lng IS NULL))),
  constraint sources_check1 CHECK (((crawl_window_start IS NULL) = (crawl_window_end IS NULL))),
  constraint sources_crawl_window_end_check CHECK (((crawl_window_end >= 0) AND (crawl_window_end <= 23))),
  constraint sources_crawl_window_start_check CHECK (((crawl_window_start >= 0) AND (crawl_window_start <= 23))),
  constraint sources_default_lat_check CHECK (((default_lat >= ('-90'::integer)::double precision) AND (default_lat <= (90)::double precision))),
  constraint sources_default_lng_check CHECK (((default_lng >= ('-180'::integer)::double precision) AND (default_lng <= (180)::double precision))),
  constraint sources_kind_check CHECK ((kind = ANY (ARRAY['news'::text, 'events'::text, 'mixed'::text]))),
  constraint sources_max_depth_check CHECK (((max_depth >= 0) AND (max_depth <= 20))),
  constraint sources_name_check CHECK ((name <> ''::text)),
  constraint sources_preferred_method_check CHECK ((preferred_method = ANY (ARRAY['hydration'::text, 'json_ld'::text, 'feed'::text, 'dom'::text, 'article'::text]))),
  constraint sources_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'normal'::text, 'high'::text, 'critical'::text]))),
  constraint sources_rate_limit_check CHECK (((rate_limit > (0)::double precision) AND (rate_limit <= (1000)::double precision))),
  constraint sources_render_mode_check CHECK ((render_mode = ANY (ARRAY['auto'::text, 'static'::text, 'browser'::text]))),
  constraint sources_tier_check CHECK ((tier = ANY (ARRAY['standard'::text, 'premium'::text, 'probation'::text]))),
  constraint sources_group_id_fkey FOREIGN KEY (group_id) REFERENCES source_groups(id) ON DELETE SET NULL,
  constraint sources_pkey PRIMARY KEY (id)
);

create table stage_alerts (
  id bigint not null generated always as identity,
  kind text not null,
  stage smallint not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  details jsonb not null,
  constraint stage_alerts_kind_check CHECK ((kind = ANY (ARRAY['stage_silent'::text, 'low_ratio'::text]))),
  constraint stage_alerts_pkey PRIMARY KEY (id)
);

create table stage_articles (
  id bigint not null generated always as identity,
  url text not null,
  url_hash bytea not null,
  domain text not null,
  source_id integer not null,
  first_seen_at timestamp with time zone not null,
  constraint stage_articles_pkey PRIMARY KEY (id),
  constraint stage_articles_url_hash_key UNIQUE (url_hash)
);

create table stage_backfills (
  name text not null,
  "position" text not null,
  done bigint not null default 0,
  created bigint not null default 0,
  finished_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  constraint stage_backfills_pkey PRIMARY KEY (name)
);

create table stage_events (
  id bigint not null default nextval('stage_event_ids'::regclass),
  article_id bigint not null,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  key_hash bigint not null,
  source_id integer not null,
  service_id integer not null,
  stage smallint not null,
  schema_version smallint not null default 1,
  reclassification boolean not null default false,
  metadata jsonb,
  constraint stage_events_stage_check CHECK (((stage >= 1) AND (stage <= 5)))
) partition by RANGE (occurred_at);

create table stage_horizon (
  only_row boolean not null default true,
  rows_from timestamp with time zone not null,
  constraint stage_horizon_only_row_check CHECK (only_row),
  constraint stage_horizon_pkey PRIMARY KEY (only_row)
);

create table stage_marks (
  article_id bigint not null,
  last_crawled integer not null default 0,
  last_indexed integer not null default 0,
  last_classified integer not null default 0,
  last_routed integer not null default 0,
  last_published integer not null default 0,
  last_initial integer not null default 0,
  first_crawled timestamp with time zone,
  first_classified timestamp with time zone,
  first_published timestamp with time zone,
  constraint stage_marks_pkey PRIMARY KEY (article_id)
);

create table stage_names (
  id integer not null generated always as identity,
  name text not null,
  constraint stage_names_pkey PRIMARY KEY (id),
  constraint stage_names_name_key UNIQUE (name)
);

create table stage_outages (
  id bigint not null generated always as identity,
  stage smallint,
  reason text not null,
  began_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint stage_outages_pkey PRIMARY KEY (id)
);

create table stage_pair_deltas (
  source_id integer not null,
  hour integer not null,
  next_hour integer not null,
  n integer not null,
  lane smallint not null
);

create table stage_pairs (
  source_id integer not null,
  hour integer not null,
  lane smallint not null,
  next_hour integer not null,
  n bigint not null,
  constraint stage_pairs_pkey PRIMARY KEY (source_id, hour, lane, next_hour)
);

create table stage_services (
  id integer not null generated always as identity,
  name text not null,
  constraint stage_services_pkey PRIMARY KEY (id),
  constraint stage_services_name_key UNIQUE (name)
);

create table stage_source_deltas (
  tally_sources integer[] not null,
  tally_kinds smallint[] not null,
  tally_models integer[] not null,
  tally_values integer[] not null,
  tally_hours integer[] not null,
  tally_counts integer[] not null,
  pair_sources integer[] not null,
  pair_lanes smallint[] not null,
  pair_hours integer[] not null,
  pair_next_hours integer[] not null,
  pair_counts integer[] not null
);

create table stage_sources (
  id integer not null generated always as identity,
  key text not null,
  name text not null,
  constraint stage_sources_pkey PRIMARY KEY (id),
  constraint stage_sources_key_key UNIQUE (key)
);

create table stage_tally_days (
  kind smallint not null,
  source_id integer not null,
  day integer not null,
  model integer not null,
  value integer not null,
  n bigint not null,
  constraint stage_tally_days_pkey PRIMARY KEY (kind, source_id, day, model, value)
);

create table stage_tally_deltas (
  source_id integer not null,
  hour integer not null,
  model integer not null,
  value integer not null,
  n integer not null,
  kind smallint not null
);

create table stage_tally_hours (
  kind smallint not null,
  source_id integer not null,
  hour integer not null,
  model integer not null,
  value integer not null,
  n bigint not null,
  constraint stage_tally_hours_pkey PRIMARY KEY (kind, source_id, hour, model, value)
);

create table staged_items (
  raw_item_id bigint not null,
  source_id uuid not null,
  run_id uuid,
  kind text not null,
  item_id uuid,
  outcome text not null,
  reason text,
  staged_at timestamp with time zone not null,
  constraint staged_items_outcome_check CHECK ((outcome = ANY (ARRAY['created'::text, 'updated'::text, 'unchanged'::text, 'completed'::text, 'failed'::text]))),
  constraint staged_items_pkey PRIMARY KEY (raw_item_id)
);

create table topic_rules (
  id uuid not null,
  name text not null,
  topic text not null,
  keywords jsonb not null,
  priority integer not null default 0,
  min_confidence real not null default 0.5,
  languages text[] not null default '{}'::text[],
  enabled boolean not null default true,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint topic_rules_min_confidence_check CHECK (((min_confidence >= (0)::double precision) AND (min_confidence <= (1)::double precision))),
  constraint topic_rules_name_check CHECK ((name <> ''::text)),
  constraint topic_rules_topic_check CHECK ((topic <> ''::text)),
  constraint topic_rules_pkey PRIMARY KEY (id)
);

create table users (
  id uuid not null,
  email text not null,
  password_hash text,
  role text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  last_login_at timestamp with time zone,
  session_version integer not null default 1,
  constraint users_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'admin'::text]))),
  constraint users_pkey PRIMARY KEY (id)
);

create table workers (
  id uuid not null,
  instance_id text not null,
  host_name text not null,
  pid integer not null,
  concurrency integer not null,
  started_at timestamp with time zone not null,
  heartbeat_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  stopping boolean not null default false,
  constraint workers_pkey PRIMARY KEY (id)
);

CREATE INDEX alerts_list ON public.alerts USING btree (((closed_at IS NOT NULL)), id DESC);

CREATE UNIQUE INDEX alerts_open ON public.alerts USING btree (kind, subject) WHERE (closed_at IS NULL);

CREATE INDEX archive_bodies_pack ON public.archive_bodies USING btree (pack);

CREATE INDEX articles_search ON public.articles USING gin (search);

CREATE INDEX articles_source ON public.articles USING btree (source_id, sort_at DESC);

CREATE INDEX articles_time ON public.articles USING btree (sort_at DESC, id DESC);

CREATE INDEX breakers_not_closed ON public.breakers USING btree (kind, key) WHERE (state <> 'closed'::text);

CREATE INDEX calendar_carriers_item ON public.calendar_carriers USING btree (item_id);

CREATE INDEX calendar_events_city_idx ON public.calendar_events USING btree (lower(city));

CREATE INDEX calendar_events_search ON public.calendar_events USING gin (search);

CREATE INDEX calendar_events_series ON public.calendar_events USING btree (source_id, event_series(source_uid), starts_at) WHERE (event_series(source_uid) IS NOT NULL);

CREATE INDEX calendar_events_source ON public.calendar_events USING btree (source_id, starts_at);

CREATE INDEX calendar_events_time ON public.calendar_events USING btree (starts_at, lat, lng, id);

CREATE INDEX calendar_events_uid ON public.calendar_events USING btree (source_id, source_uid) WHERE (source_uid IS NOT NULL);

CREATE INDEX journey_calendar_url ON public.calendar_events USING btree (url_hash) WHERE (url_hash IS NOT NULL);

CREATE UNIQUE INDEX channel_alerts_open ON public.channel_alerts USING btree (channel_id, kind) WHERE (closed_at IS NULL);

CREATE UNIQUE INDEX channels_name ON public.channels USING btree (lower(name));

CREATE INDEX classification_history_item ON public.classification_history USING btree (item_id, id DESC);

CREATE INDEX classification_history_time ON public.classification_history USING btree (classified_at);

CREATE INDEX cluster_members_cluster ON public.cluster_members USING btree (cluster_id);

CREATE INDEX cluster_separations_b ON public.cluster_separations USING btree (item_b);

CREATE INDEX clusters_list ON public.clusters USING btree (kind, updated_at DESC, id);

CREATE INDEX dead_letters_due ON public.dead_letters USING btree (next_retry_at) WHERE (status = 'pending'::text);

CREATE INDEX dead_letters_list ON public.dead_letters USING btree (status, created_at DESC, id);

CREATE UNIQUE INDEX dead_letters_open ON public.dead_letters USING btree (stage, subject) WHERE (status = ANY (ARRAY['pending'::text, 'retrying'::text]));

CREATE INDEX dead_letters_retrying ON public.dead_letters USING btree (stage, subject) WHERE (status = 'retrying'::text);

CREATE INDEX dead_letters_source ON public.dead_letters USING btree (source_id, created_at DESC);

CREATE INDEX dedup_keys_item ON public.dedup_keys USING btree (item_id);

CREATE INDEX deliveries_failed ON public.deliveries USING btree (id DESC) WHERE (status = 'failed'::text);

CREATE INDEX deliveries_item ON public.deliveries USING btree (item_id, id);

CREATE INDEX deliveries_pending ON public.deliveries USING btree (channel_id, id) WHERE (status = 'pending'::text);

CREATE INDEX deliveries_route ON public.deliveries USING btree (route_id, id);

CREATE INDEX deliveries_time ON public.deliveries USING btree (created_at);

CREATE INDEX deliveries_waiting ON public.deliveries USING btree (channel_id, item_id, id) WHERE (status = 'pending'::text);

CREATE INDEX delivery_failures_delivery ON public.delivery_failures USING btree (delivery_id, id);

CREATE INDEX delivery_failures_time ON public.delivery_failures USING btree (failed_at);

CREATE INDEX discovery_places_due ON public.discovery_places USING btree (population DESC, next_attempt_at) WHERE (status = ANY (ARRAY['pending'::text, 'processing'::text]));

CREATE INDEX follow_ups_due ON public.follow_ups USING btree (kind, next_attempt_at);

CREATE INDEX frontier_due ON public.frontier USING btree (source_id, next_fetch_at) WHERE ((status <> 'waiting'::text) AND (next_fetch_at IS NOT NULL));

CREATE INDEX frontier_status ON public.frontier USING btree (source_id, status, id);

CREATE INDEX frontier_url ON public.frontier USING btree (url_hash);

CREATE INDEX frontier_waiting ON public.frontier USING btree (source_id, priority DESC, id) WHERE ((status = 'waiting'::text) AND (next_fetch_at IS NOT NULL));

CREATE INDEX item_changes_item ON public.item_changes USING btree (item_id, id);

CREATE INDEX item_classifications_recent ON public.item_classifications USING btree (classified_at DESC, item_id) WHERE (NOT gone);

CREATE INDEX item_classifications_source ON public.item_classifications USING btree (source_id, classified_at DESC);

CREATE INDEX item_classifications_topics ON public.item_classifications USING gin (topics);

CREATE INDEX jobs_due ON public.jobs USING btree (next_run_at) WHERE (status = ANY (ARRAY['pending'::text, 'scheduled'::text]));

CREATE INDEX jobs_newest ON public.jobs USING btree (created_at DESC, id);

CREATE UNIQUE INDEX jobs_one_auto_per_source ON public.jobs USING btree (source_id) WHERE auto_managed;

CREATE INDEX jobs_source ON public.jobs USING btree (source_id);

CREATE INDEX jobs_unplaced ON public.jobs USING btree (id) WHERE ((status = ANY (ARRAY['pending'::text, 'scheduled'::text])) AND (phase_minutes IS DISTINCT FROM interval_minutes));

CREATE INDEX mirror_queue_due ON public.mirror_queue USING btree (next_attempt_at);

CREATE INDEX notifications_due ON public.notifications USING btree (next_attempt_at) WHERE (status = 'pending'::text);

CREATE INDEX notifications_list ON public.notifications USING btree (created_at DESC, id);

CREATE INDEX journey_pages_time ON public.pages USING brin (fetched_at);

CREATE INDEX journey_pages_title ON public.pages USING btree (lower("left"(title, 200)) text_pattern_ops) WHERE (title IS NOT NULL);

CREATE INDEX pages_content ON public.pages USING btree (content_hash) WHERE (content_hash IS NOT NULL);

CREATE INDEX pages_frontier ON public.pages USING btree (frontier_id, id DESC);

CREATE INDEX pages_run ON public.pages USING btree (run_id, id);

CREATE INDEX pages_source ON public.pages USING btree (source_id, id DESC);

CREATE INDEX publish_queue_due ON public.publish_queue USING btree (next_attempt_at, id);

CREATE INDEX journey_raw_items_url ON public.raw_items USING btree (url_hash);

CREATE INDEX raw_items_fair ON public.raw_items USING btree (source_id, id) WHERE (status = 'pending'::text);

CREATE INDEX raw_items_page ON public.raw_items USING btree (page_id);

CREATE INDEX raw_items_run ON public.raw_items USING btree (run_id) WHERE (status = 'pending'::text);

CREATE INDEX reclassifications_running ON public.reclassifications USING btree (created_at) WHERE (status = 'running'::text);

CREATE INDEX rounds_open ON public.rounds USING btree (id) WHERE (completed_at IS NULL);

CREATE INDEX route_items_item ON public.route_items USING btree (item_id);

CREATE INDEX routes_channel ON public.routes USING btree (channel_id);

CREATE UNIQUE INDEX routes_name ON public.routes USING btree (lower(name));

CREATE INDEX run_logs_of_job ON public.run_logs USING btree (job_id, id) WHERE (job_id IS NOT NULL);

CREATE INDEX runs_limited ON public.runs USING btree (source_id) WHERE ((status = 'running'::text) AND (source_limit IS NOT NULL));

CREATE INDEX runs_of_caller ON public.runs USING btree (requested_by, id) WHERE (requested_by IS NOT NULL);

CREATE INDEX runs_of_job ON public.runs USING btree (job_id, id) WHERE ((job_id IS NOT NULL) AND (status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])));

CREATE INDEX runs_of_round ON public.runs USING btree (round_id) WHERE (round_id IS NOT NULL);

CREATE INDEX runs_pending ON public.runs USING btree (rank_at, id) WHERE (status = 'pending'::text);

CREATE INDEX runs_running ON public.runs USING btree (worker_id) WHERE (status = 'running'::text);

CREATE INDEX scraper_insights_page ON public.scraper_insights USING btree (page_id);

CREATE INDEX scraper_insights_source ON public.scraper_insights USING btree (source_id, id DESC);

CREATE INDEX source_candidates_of_place ON public.source_candidates USING btree (place_id);

CREATE INDEX source_candidates_open ON public.source_candidates USING btree (confidence DESC, id) WHERE (status = 'new'::text);

CREATE INDEX source_event_quarantine_open ON public.source_event_quarantine USING btree (id DESC) WHERE (resolved_at IS NULL);

CREATE INDEX source_events_pending ON public.source_events USING btree (seq) WHERE (status = 'pending'::text);

CREATE INDEX source_events_source ON public.source_events USING btree (source_id, seq DESC);

CREATE INDEX source_events_unrelayed ON public.source_events USING btree (seq) WHERE ((relayed_at IS NULL) AND (origin = 'local'::text));

CREATE UNIQUE INDEX source_groups_name ON public.source_groups USING btree (lower(name));

CREATE INDEX sources_group ON public.sources USING btree (group_id) WHERE (group_id IS NOT NULL);

CREATE INDEX sources_name ON public.sources USING btree (lower(name), id);

CREATE INDEX sources_tags ON public.sources USING gin (tags);

CREATE INDEX sources_updated ON public.sources USING btree (updated_at DESC, id);

CREATE UNIQUE INDEX sources_url_key ON public.sources USING btree (url_key);

CREATE UNIQUE INDEX stage_alerts_open ON public.stage_alerts USING btree (kind, stage) WHERE (closed_at IS NULL);

CREATE INDEX stage_events_judged ON ONLY public.stage_events USING btree (source_id, occurred_at) WHERE (stage = ANY (ARRAY[3, 5]));

CREATE INDEX stage_events_time ON ONLY public.stage_events USING btree (occurred_at);

CREATE INDEX stage_pairs_open ON public.stage_pairs USING btree (source_id, hour) INCLUDE (lane, n) WHERE (next_hour = 2147483647);

CREATE INDEX stage_sources_name ON public.stage_sources USING btree (name);

CREATE INDEX journey_staged_items_time ON public.staged_items USING brin (staged_at);

CREATE INDEX staged_items_item ON public.staged_items USING btree (item_id);

CREATE UNIQUE INDEX topic_rules_name ON public.topic_rules USING btree (lower(name));

CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));

create view source_health as
 SELECT s.id AS source_id,
    s.name,
    s.url,
    s.host_key,
    s.kind,
    s.tags,
    s.group_id,
    s.enabled,
    s.auto_disabled,
    j.id AS job_id,
    j.status AS job_status,
    j.active_run_id,
    j.failure_count AS consecutive_failures,
    j.last_run_at,
    j.last_success_at,
    j.items_total AS historical_items,
    COALESCE(b.state, 'closed'::text) AS circuit_state,
    COALESCE(b.failure_count, 0) AS circuit_failures,
    GREATEST(
        CASE
            WHEN b.state <> 'closed'::text THEN GREATEST(b.cooldown_until, b.probe_until)
            ELSE NULL::timestamp with time zone
        END,
        CASE
            WHEN h.state <> 'closed'::text THEN GREATEST(h.cooldown_until, h.probe_until)
            ELSE NULL::timestamp with time zone
        END, j.backoff_until) AS cooldown_until,
        CASE
            WHEN NOT s.enabled THEN 'disabled'::text
            WHEN s.auto_disabled THEN 'auto_disabled'::text
            WHEN j.id IS NULL THEN 'no_job'::text
            WHEN b.state <> 'closed'::text AND (b.cooldown_until > now() OR b.probe_until > now()) THEN 'breaker_open'::text
            WHEN h.state <> 'closed'::text AND (h.cooldown_until > now() OR h.probe_until > now()) THEN 'host_breaker_open'::text
            WHEN j.backoff_until > now() THEN 'cooling_down'::text
            WHEN j.active_run_id IS NOT NULL THEN 'already_running'::text
            WHEN j.status <> ALL (ARRAY['pending'::text, 'scheduled'::text]) THEN 'job_'::text || j.status
            ELSE NULL::text
        END AS unavailable_because,
    COALESCE(j.success_count::double precision / NULLIF(j.execution_count, 0)::double precision, 0.5::double precision) AS reliability,
    COALESCE(EXTRACT(epoch FROM now() - j.last_run_at) / 86400::numeric, 30::numeric)::double precision * 10::double precision + COALESCE(j.items_total, 0::bigint)::double precision / 10.0::double precision + COALESCE(j.success_count::double precision / NULLIF(j.execution_count, 0)::double precision, 0.5::double precision) * 5::double precision - (COALESCE(j.failure_count, 0) * 20)::double precision AS priority_score
   FROM sources s
     LEFT JOIN jobs j ON j.source_id = s.id AND j.auto_managed
     LEFT JOIN breakers b ON b.kind = 'source'::text AND b.key = s.id::text
     LEFT JOIN breakers h ON h.kind = 'host'::text AND h.key = s.host_key;

create view stage_pair_changes as
 SELECT stage_pair_deltas.source_id,
    stage_pair_deltas.lane,
    stage_pair_deltas.hour,
    stage_pair_deltas.next_hour,
    stage_pair_deltas.n
   FROM stage_pair_deltas
UNION ALL
 SELECT u.source_id,
    u.lane,
    u.hour,
    u.next_hour,
    u.n
   FROM stage_source_deltas d
     CROSS JOIN LATERAL UNNEST(d.pair_sources, d.pair_lanes, d.pair_hours, d.pair_next_hours, d.pair_counts) u(source_id, lane, hour, next_hour, n);

create view stage_tally_changes as
 SELECT stage_tally_deltas.source_id,
    stage_tally_deltas.kind,
    stage_tally_deltas.model,
    stage_tally_deltas.value,
    stage_tally_deltas.hour,
    stage_tally_deltas.n
   FROM stage_tally_deltas
UNION ALL
 SELECT u.source_id,
    u.kind,
    u.model,
    u.value,
    u.hour,
    u.n
   FROM stage_source_deltas d
     CROSS JOIN LATERAL UNNEST(d.tally_sources, d.tally_kinds, d.tally_models, d.tally_values, d.tally_hours, d.tally_counts) u(source_id, kind, model, value, hour, n);

CREATE OR REPLACE FUNCTION public.claim_runs(p_worker uuid, p_token uuid, p_limit integer, p_host_limit integer, p_now timestamp with time zone, p_finished jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id uuid, job_id uuid, source_id uuid, round_id uuid, requested_by uuid, host_key text, trigger text, payload jsonb, retry_count smallint, max_retries smallint, retry_backoff_seconds integer, execution_number integer, progress jsonb, metadata jsonb, attempts jsonb, created_at timestamp with time zone, lease_token uuid)
 LANGUAGE plpgsql
 SET enable_sort TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
declare
  -- The database's own clock unless a test sets another: machines disagree about the time.
  v_now timestamptz := coalesce(p_now, now());
  full_hosts text[] := '{}';
  full_sources uuid[];
  picked uuid[];
  limited boolean;
begin
  if p_finished is not null then perform from finish_runs(p_finished, p_now); end if;
  if p_limit <= 0 then return; end if;

  if p_host_limit is not null then
    select coalesce(array_agg(busy.host_key), '{}') into full_hosts
      from (select r.host_key from runs r where r.status = 'running' and r.host_key <> ''
            group by r.host_key having count(*) >= p_host_limit) busy;
  end if;
  select coalesce(array_agg(busy.source_id), '{}') into full_sources
    from (select r.source_id from runs r where r.status = 'running' and r.source_limit is not null
          group by r.source_id having count(*) >= min(r.source_limit)) busy;

  select array_agg(c.id), bool_or(c.source_limit is not null or (c.host_key <> '' and p_host_limit is not null))
    into picked, limited
    from (select r.id, r.source_limit, r.host_key from runs r
          where r.status = 'pending' and r.run_at <= v_now
            and r.host_key <> all (full_hosts)
            and (r.source_limit is null or r.source_id <> all (full_sources))
          order by r.rank_at, r.id
          limit p_limit
          for update skip locked) c;
  if picked is null then return; end if;

  if limited then
    perform pg_advisory_xact_lock(1836019302, hashtext(k.key))
      from (select distinct key from runs r
            cross join lateral (values
              (case when p_host_limit is not null and r.host_key <> '' then r.host_key end),
              (case when r.source_limit is not null then r.source_id::text end)) as v (key)
            where r.id = any (picked) and key is not null
            order by key) k;
    select array_agg(x.id) into picked from (
      select r.id, r.source_limit, r.host_key,
        row_number() over (partition by r.source_id order by r.rank_at, r.id)
          + (select count(*) from runs b where b.status = 'running' and b.source_id = r.source_id) as in_source,
        row_number() over (partition by r.host_key order by r.rank_at, r.id)
          + (select count(*) from runs b where b.status = 'running' and b.host_key = r.host_key) as in_host
      from runs r where r.id = any (picked)) x
    where (x.source_limit is null or x.in_source <= x.source_limit)
      and (p_host_limit is null or x.host_key = '' or x.in_host <= p_host_limit);
    if picked is null then return; end if;
  end if;

  return query
    update runs r
    set status = 'running', worker_id = p_worker, lease_token = p_token, started_at = v_now
    where r.id = any (picked)
    returning r.id, r.job_id, r.source_id, r.round_id, r.requested_by, r.host_key, r.trigger, r.payload,
      r.retry_count, r.max_retries, r.retry_backoff_seconds, r.execution_number,
      r.progress, r.metadata, r.attempts, r.created_at, r.lease_token;
end
$function$

CREATE OR REPLACE FUNCTION public.create_stage_partition(month date)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
end $function$

CREATE OR REPLACE FUNCTION public.distance_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select 12742 * asin(least(1, sqrt(
    sin(radians(lat2 - lat1) / 2) ^ 2
    + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2)))
$function$

CREATE OR REPLACE FUNCTION public.event_series(uid text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select substring(uid from '^(.+)#\d{4}-\d\d-\d\d[^#]*$')
$function$

CREATE OR REPLACE FUNCTION public.finish_runs(p_outcomes jsonb, p_now timestamp with time zone)
 RETURNS SETOF runs
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_ids uuid[] := array(select (o ->> 'id')::uuid from jsonb_array_elements(p_outcomes) o);
begin
  return query update runs r
  set status = o.status,
      completed_at = case when o.status = 'pending' then null else coalesce(p_now, now()) end,
      run_at = coalesce(o.run_at, r.run_at),
      rank_at = case when o.run_at is null then r.rank_at else o.run_at - make_interval(mins => r.priority) end,
      retry_count = r.retry_count + coalesce(o.retries, 0),
      lease_token = null,
      worker_id = case when o.status = 'pending' then null else r.worker_id end,
      items_crawled = coalesce(o.items_crawled, r.items_crawled),
      items_indexed = coalesce(o.items_indexed, r.items_indexed),
      counters = coalesce(o.counters, r.counters),
      error_message = o.error_message,
      stack_trace = o.stack_trace,
      cpu_time_ms = coalesce(o.cpu_time_ms, r.cpu_time_ms),
      memory_peak_mb = coalesce(o.memory_peak_mb, r.memory_peak_mb),
      content_hash = coalesce(o.content_hash, r.content_hash),
      attempts = case when o.reason is null then r.attempts
        else coalesce(r.attempts, '[]') || jsonb_build_array(jsonb_build_object(
          'attempt', r.retry_count + 1, 'started_at', r.started_at, 'ended_at', coalesce(p_now, now()),
          'worker_id', r.worker_id, 'reason', o.reason)) end,
      metadata = coalesce(o.metadata, r.metadata)
  from jsonb_to_recordset(p_outcomes) as o (
    id uuid, token uuid, status text, run_at timestamptz, retries smallint,
    items_crawled integer, items_indexed integer, counters jsonb, error_message text, stack_trace text,
    cpu_time_ms integer, memory_peak_mb integer, content_hash text, reason text, metadata jsonb)
  where r.id = any (v_ids) and r.id = o.id and r.lease_token = o.token and r.status is not distinct from 'running'
  returning r.*;
end
$function$

CREATE OR REPLACE FUNCTION public.in_crawl_window(start_hour smallint, end_hour smallint, days smallint[], at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select start_hour is null or end_hour is null or (
    (coalesce(cardinality(days), 0) = 0 or extract(dow from at at time zone 'UTC')::smallint = any (days))
    and case
      when start_hour <= end_hour
        then extract(hour from at at time zone 'UTC') >= start_hour and extract(hour from at at time zone 'UTC') < end_hour
      else extract(hour from at at time zone 'UTC') >= start_hour or extract(hour from at at time zone 'UTC') < end_hour
    end)
$function$

CREATE OR REPLACE FUNCTION public.item_search(language text, title text, names text, body text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select setweight(to_tsvector(search_config(language), title), 'A')
    || setweight(to_tsvector('pg_catalog.simple', title || ' ' || names), 'B')
    || setweight(to_tsvector(search_config(language), left(body, 20000)), 'D')
$function$

CREATE OR REPLACE FUNCTION public.mirror_changed_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select 1 from mirror_state) then return null; end if;
  insert into mirror_queue (item_id, kind) select distinct item_id, kind from changed order by item_id
  on conflict (item_id) do update set attempts = 0, queued_at = excluded.queued_at, next_attempt_at = excluded.next_attempt_at;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.mirror_deleted_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select 1 from mirror_state) then return null; end if;
  insert into mirror_queue (item_id, kind) select id, tg_argv[0] from gone order by id
  on conflict (item_id) do update set attempts = 0, queued_at = excluded.queued_at, next_attempt_at = excluded.next_attempt_at;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.next_turn(due timestamp with time zone, interval_minutes integer, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when interval_minutes is null then null
    when due > at then due
    else due + make_interval(mins => interval_minutes)
      * (floor(extract(epoch from (at - due)) / (interval_minutes * 60)) + 1)
  end
$function$

CREATE OR REPLACE FUNCTION public.queue_changed_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into publish_queue (item_id, kind)
  select distinct item_id, kind from changed order by item_id
  on conflict (item_id) do update set attempts = 0, next_attempt_at = excluded.next_attempt_at;
  perform pg_notify('millrace_publish_queue', '');
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.queue_deleted_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into publish_queue (item_id, kind)
  select id, tg_argv[0] from gone order by id
  on conflict (item_id) do update set attempts = 0, next_attempt_at = excluded.next_attempt_at;
  perform pg_notify('millrace_publish_queue', '');
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.search_config(language text)
 RETURNS regconfig
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case language
    when 'nl' then 'pg_catalog.dutch'::regconfig
    when 'en' then 'pg_catalog.english'::regconfig
    when 'de' then 'pg_catalog.german'::regconfig
    when 'fr' then 'pg_catalog.french'::regconfig
    when 'es' then 'pg_catalog.spanish'::regconfig
    when 'it' then 'pg_catalog.italian'::regconfig
    else 'pg_catalog.simple'::regconfig
  end
$function$

CREATE OR REPLACE FUNCTION public.search_query(words text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select websearch_to_tsquery('pg_catalog.dutch', words)
    || websearch_to_tsquery('pg_catalog.english', words)
    || websearch_to_tsquery('pg_catalog.simple', words)
$function$

CREATE OR REPLACE FUNCTION public.uuid_floor(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$function$

CREATE OR REPLACE FUNCTION public.uuid_v7(at timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
AS $function$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$function$

CREATE TRIGGER mirror_deleted_articles AFTER DELETE ON public.articles REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION mirror_deleted_items('article');

CREATE TRIGGER queue_deleted_articles AFTER DELETE ON public.articles REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION queue_deleted_items('article');

CREATE TRIGGER mirror_deleted_calendar_events AFTER DELETE ON public.calendar_events REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION mirror_deleted_items('calendar_event');

CREATE TRIGGER queue_deleted_calendar_events AFTER DELETE ON public.calendar_events REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION queue_deleted_items('calendar_event');

CREATE TRIGGER mirror_changed_items AFTER INSERT ON public.item_changes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mirror_changed_items();

CREATE TRIGGER queue_changed_items AFTER INSERT ON public.item_changes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION queue_changed_items();

CREATE TRIGGER mirror_changed_classifications AFTER UPDATE ON public.item_classifications REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mirror_changed_items();

CREATE TRIGGER mirror_new_classifications AFTER INSERT ON public.item_classifications REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mirror_changed_items();

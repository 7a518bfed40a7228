-- Written by `npm run schema`. Do not edit.

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
  paused_at timestamp with time zone,
  paused_reason text,
  cancelled_at timestamp with time zone,
  orphaned_at timestamp with time zone,
  bucket smallint,
  moved_at timestamp with time zone,
  last_run_at timestamp with time zone,
  last_run_status text,
  execution_count integer not null default 0,
  last_event_at timestamp with time zone,
  metadata jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
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

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (version)
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

CREATE UNIQUE INDEX jobs_one_auto_per_source ON public.jobs USING btree (source_id) WHERE auto_managed;

CREATE INDEX jobs_source ON public.jobs USING btree (source_id);

CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));

-- Who gets what: routes choose items, channels bring them there.

create table channels (
  id uuid primary key,
  name text not null check (name <> ''),
  kind text not null check (kind in ('redis_pubsub', 'redis_stream', 'webhook')),
  -- redis: {topic, max_length}; webhook: {url, headers, timeout_ms}
  config jsonb not null,
  secret text,
  -- Signs as well until then, so that receivers can change over.
  old_secret text,
  old_secret_until timestamptz,
  enabled boolean not null default true,
  disabled_reason text,
  failures integer not null default 0,
  failing_since timestamptz,
  -- No attempt before, after the channel as a whole failed.
  resume_at timestamptz not null default '-infinity',
  lease_token uuid,
  lease_until timestamptz,
  last_delivered_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 60);

create unique index channels_name on channels (lower(name));

create table routes (
  id uuid primary key,
  name text not null check (name <> ''),
  -- Null: nobody is told; consumers come for the feed or the changes.
  channel_id uuid references channels on delete restrict,
  filters jsonb not null default '{}',
  enabled boolean not null default true,
  -- Rises when the filters change.
  version integer not null default 1,
  -- Opens the feeds of the route to readers that cannot log in.
  feed_token text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index routes_name on routes (lower(name));
create index routes_channel on routes (channel_id);

-- Which items are on a route now.
create table route_items (
  route_id uuid not null references routes on delete cascade,
  item_id uuid not null,
  item_version integer not null,
  primary key (route_id, item_id)
);

create index route_items_item on route_items (item_id);

-- What consumers are told about a version of an item; the same for all routes.
create table item_versions (
  item_id uuid not null,
  version integer not null,
  payload jsonb not null,
  created_at timestamptz not null,
  primary key (item_id, version)
);

-- The outbox and the changes API in one: ids are given under a lock that is held until the commit, so a reader never
-- sees a number appear below one it has seen.
create table deliveries (
  id bigint generated always as identity primary key,
  route_id uuid not null references routes on delete cascade,
  route_version integer not null,
  channel_id uuid,
  item_id uuid not null,
  item_version integer not null,
  source_id uuid not null,
  kind text not null,
  change text not null check (change in ('created', 'updated', 'deleted')),
  matched_topics text[] not null default '{}',
  -- Of the article in the stage events.
  stage_url text,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null,
  delivered_at timestamptz,
  last_error text,
  response_code smallint,
  redis_subscribers integer,
  unique (route_id, item_id, route_version, item_version)
) with (fillfactor = 80);

create index deliveries_route on deliveries (route_id, id);
create index deliveries_pending on deliveries (channel_id, id) where status = 'pending';
create index deliveries_waiting on deliveries (channel_id, item_id, id) where status = 'pending';
create index deliveries_item on deliveries (item_id, id);
create index deliveries_time on deliveries (created_at);
create index deliveries_failed on deliveries (id desc) where status = 'failed';

-- Every attempt that did not work out; the one that did is in the delivery itself.
create table delivery_failures (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references deliveries on delete cascade,
  attempt integer not null,
  error text not null,
  response_code smallint,
  took_ms integer not null,
  failed_at timestamptz not null
);

create index delivery_failures_delivery on delivery_failures (delivery_id, id);
create index delivery_failures_time on delivery_failures (failed_at);

create table channel_alerts (
  id bigint generated always as identity primary key,
  channel_id uuid not null references channels on delete cascade,
  kind text not null check (kind in ('disabled', 'failing')),
  details jsonb not null,
  opened_at timestamptz not null,
  closed_at timestamptz
);

create unique index channel_alerts_open on channel_alerts (channel_id, kind) where closed_at is null;

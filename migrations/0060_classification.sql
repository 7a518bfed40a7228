-- What each kept item is: its quality, its type, its topics; and the rules the topics come from.

create table topic_rules (
  id uuid primary key,
  name text not null check (name <> ''),
  topic text not null check (topic <> ''),
  -- [{term, weight}]; "concert*" stands for every word that starts so.
  keywords jsonb not null,
  -- Higher first when an item has more topics than it may carry.
  priority integer not null default 0,
  min_confidence real not null default 0.5 check (min_confidence between 0 and 1),
  -- Empty: every language.
  languages text[] not null default '{}',
  enabled boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index topic_rules_name on topic_rules (lower(name));

-- One number per thing that workers keep compiled; it rises when they have to read it again.
create table publish_versions (
  name text primary key,
  version bigint not null
);

insert into publish_versions values ('rules', 1), ('routes', 1);

-- Items to classify and route. An item changed again while it is being worked on comes back.
create table publish_queue (
  id bigint generated always as identity primary key,
  item_id uuid not null unique,
  kind text not null check (kind in ('article', 'calendar_event')),
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  reason text
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

create index publish_queue_due on publish_queue (next_attempt_at, id);

-- Whatever changes an item puts it in the queue, in the same transaction.
create function queue_changed_items() returns trigger language plpgsql as $$
begin
  insert into publish_queue (item_id, kind)
  select distinct item_id, kind from changed order by item_id
  on conflict (item_id) do update set attempts = 0, next_attempt_at = excluded.next_attempt_at;
  perform pg_notify('millrace_publish_queue', '');
  return null;
end $$;

create trigger queue_changed_items after insert on item_changes
referencing new table as changed for each statement execute function queue_changed_items();

create function queue_deleted_items() returns trigger language plpgsql as $$
begin
  insert into publish_queue (item_id, kind)
  select id, tg_argv[0] from gone order by id
  on conflict (item_id) do update set attempts = 0, next_attempt_at = excluded.next_attempt_at;
  perform pg_notify('millrace_publish_queue', '');
  return null;
end $$;

create trigger queue_deleted_articles after delete on articles
referencing old table as gone for each statement execute function queue_deleted_items('article');
create trigger queue_deleted_calendar_events after delete on calendar_events
referencing old table as gone for each statement execute function queue_deleted_items('calendar_event');

-- How each item stands now. Whoever decides about an item locks its row.
create table item_classifications (
  item_id uuid primary key,
  kind text not null,
  source_id uuid not null,
  -- Rises when what consumers see of the item changes.
  version integer not null default 1,
  -- Of what consumers see.
  view_hash bytea not null,
  -- Of title and text.
  content_hash text not null,
  quality_score smallint not null check (quality_score between 0 and 100),
  -- {length, metadata, richness, readability}
  quality_parts jsonb not null,
  content_type text not null,
  confidence real not null,
  topics text[] not null check (cardinality(topics) <= 5),
  -- [{topic, confidence, terms}]
  topic_scores jsonb not null default '[]',
  model_version text not null,
  language text not null,
  classified_at timestamptz not null,
  -- The item is gone; its last version was a deletion.
  gone boolean not null default false
) with (fillfactor = 80);

create index item_classifications_recent on item_classifications (classified_at desc, item_id) where not gone;
create index item_classifications_source on item_classifications (source_id, classified_at desc);
create index item_classifications_topics on item_classifications using gin (topics);

create table classification_history (
  id bigint generated always as identity primary key,
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
  classified_at timestamptz not null
);

create index classification_history_item on classification_history (item_id, id desc);
create index classification_history_time on classification_history (classified_at);

-- Classifying again in the background, from the first item to the last.
create table reclassifications (
  id uuid primary key,
  filter jsonb not null,
  status text not null default 'running' check (status in ('running', 'completed', 'cancelled')),
  total integer not null,
  done integer not null default 0,
  changed integer not null default 0,
  -- The last item that was done.
  position uuid not null default '00000000-0000-0000-0000-000000000000',
  model_version text,
  requested_by text,
  created_at timestamptz not null,
  next_batch_at timestamptz not null,
  finished_at timestamptz
);

create index reclassifications_running on reclassifications (created_at) where status = 'running';

-- What a source is worth, day by day: good items up, repeats of others down.
create table source_reputation (
  source_id uuid not null,
  day date not null,
  items integer not null,
  quality_avg real not null,
  duplicates integer not null,
  reputation smallint not null check (reputation between 0 and 100),
  primary key (source_id, day)
);

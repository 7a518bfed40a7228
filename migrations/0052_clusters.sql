-- The same happening or text on several sources: one cluster, one of its members shown.

create table clusters (
  id uuid primary key,
  kind text not null check (kind in ('article', 'calendar_event')),
  canonical_id uuid not null,
  -- Chosen by a person: not picked anew.
  pinned boolean not null default false,
  size integer not null check (size >= 2),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index clusters_list on clusters (kind, updated_at desc, id);

create table cluster_members (
  item_id uuid primary key,
  cluster_id uuid not null references clusters on delete cascade,
  -- Similarity to the member it was matched with, and what that rests on.
  score real not null,
  evidence jsonb not null,
  manual boolean not null default false,
  added_at timestamptz not null
);

create index cluster_members_cluster on cluster_members (cluster_id);

-- Pairs a person took apart; they never meet again. The smaller id first.
create table cluster_separations (
  item_a uuid not null,
  item_b uuid not null check (item_a < item_b),
  by text,
  created_at timestamptz not null,
  primary key (item_a, item_b)
);

create index cluster_separations_b on cluster_separations (item_b);

-- Where to look for candidates: hashes of day, region and word for events, bands of the minhash for articles.
create table dedup_keys (
  -- Days since 1970 for events, so that neighbours lie together; 0 for articles.
  day integer not null,
  key bigint not null,
  item_id uuid not null,
  primary key (day, key, item_id)
);

create index dedup_keys_item on dedup_keys (item_id);

-- Items whose cluster has to be looked for (again).
create table dedup_queue (
  id bigint generated always as identity primary key,
  item_id uuid not null unique,
  kind text not null,
  source_id uuid not null,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now()
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

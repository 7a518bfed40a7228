-- Finding new sources: places to search for, what the searches gave, and candidates for a person to judge.

create table discovery_places (
  id uuid primary key,
  name text not null,
  country text not null,
  lat double precision not null,
  lng double precision not null,
  population integer not null,
  queries text[] not null,
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'failed')),
  -- Queries that are done: a search service that says stop is asked for the rest later.
  checkpoint smallint not null default 0,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null,
  lease_token uuid,
  found integer not null default 0,
  error text,
  searched_at timestamptz,
  created_at timestamptz not null,
  unique (country, name)
);
create index discovery_places_due on discovery_places (population desc, next_attempt_at)
  where status in ('pending', 'processing');

-- What a search gave last, for when the service is away.
create table search_answers (
  query text not null,
  country text not null,
  results jsonb not null,
  fetched_at timestamptz not null,
  primary key (country, query)
);

create table source_candidates (
  id uuid primary key,
  -- The identity a source of this address would have.
  url_key text not null unique,
  url text not null,
  title text not null,
  place_id uuid references discovery_places (id) on delete set null,
  query text not null,
  confidence real not null check (confidence between 0 and 1),
  -- Which signs spoke for or against it, from a closed list.
  reasons text[] not null,
  -- It could not be read as a crawl would read it: a person should look.
  needs_review boolean not null,
  -- Settings a source of this address would do well with.
  settings jsonb not null,
  status text not null default 'new' check (status in ('new', 'accepted', 'rejected')),
  -- What it became; the source may be gone since.
  source_id uuid,
  note text,
  decided_at timestamptz,
  created_at timestamptz not null
);
create index source_candidates_open on source_candidates (confidence desc, id) where status = 'new';
create index source_candidates_of_place on source_candidates (place_id);

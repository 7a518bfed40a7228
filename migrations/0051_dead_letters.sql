-- Work that failed for good or for now, with everything needed to do it again.

create table dead_letters (
  id uuid primary key,
  -- The run it came from.
  job_id uuid,
  source_id uuid,
  stage text not null,
  -- Which piece of work of the stage: one open letter each.
  subject text not null,
  -- A short code: no_date, constraint, timeout, ...
  error_type text not null,
  error_message text,
  error_stack text,
  payload jsonb not null,
  retry_count integer not null default 0,
  max_retries integer not null default 3,
  -- Null: no more by itself.
  next_retry_at timestamptz,
  status text not null default 'pending' check (status in ('pending', 'retrying', 'resolved', 'discarded')),
  resolved_at timestamptz,
  resolution_notes text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index dead_letters_open on dead_letters (stage, subject) where status in ('pending', 'retrying');
create index dead_letters_due on dead_letters (next_retry_at) where status = 'pending';
create index dead_letters_retrying on dead_letters (stage, subject) where status = 'retrying';
create index dead_letters_list on dead_letters (status, created_at desc, id);
create index dead_letters_source on dead_letters (source_id, created_at desc);

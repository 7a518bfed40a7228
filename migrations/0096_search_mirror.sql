-- What the search mirror has still to send, and which document lies in which index. Nothing is queued before a mirror
-- is in use.
create table mirror_state (
  name text primary key,
  started_at timestamptz not null
);

create table mirror_queue (
  item_id uuid primary key,
  kind text not null,
  attempts smallint not null default 0,
  queued_at timestamptz not null default clock_timestamp(),
  next_attempt_at timestamptz not null default now()
);
create index mirror_queue_due on mirror_queue (next_attempt_at);

create table mirror_documents (
  item_id uuid primary key,
  index_name text not null
);

create function mirror_changed_items() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from mirror_state) then return null; end if;
  insert into mirror_queue (item_id, kind) select distinct item_id, kind from changed order by item_id
  on conflict (item_id) do update set attempts = 0, queued_at = excluded.queued_at, next_attempt_at = excluded.next_attempt_at;
  return null;
end $$;

create function mirror_deleted_items() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from mirror_state) then return null; end if;
  insert into mirror_queue (item_id, kind) select id, tg_argv[0] from gone order by id
  on conflict (item_id) do update set attempts = 0, queued_at = excluded.queued_at, next_attempt_at = excluded.next_attempt_at;
  return null;
end $$;

create trigger mirror_changed_items after insert on item_changes
referencing new table as changed for each statement execute function mirror_changed_items();
create trigger mirror_deleted_articles after delete on articles
referencing old table as gone for each statement execute function mirror_deleted_items('article');
create trigger mirror_deleted_calendar_events after delete on calendar_events
referencing old table as gone for each statement execute function mirror_deleted_items('calendar_event');

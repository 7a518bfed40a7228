-- News whose page its site took down: kept, but shown and delivered no longer.
alter table articles
  add column status text not null default 'active' check (status in ('active', 'vanished')),
  add column missed_runs smallint not null default 0;

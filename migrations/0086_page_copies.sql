-- A page that no tier could get may be read from its archived copy; and what web archives want to know of a response.
alter table pages
  add column stale boolean not null default false,
  add column headers jsonb;

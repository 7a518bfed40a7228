-- Claims of a run: new URLs by priority, and known ones by the time they are due again. One index for both made every
-- claim walk over all that the run had fetched already.
drop index frontier_due;
create index frontier_waiting on frontier (source_id, priority desc, id) where status = 'waiting' and next_fetch_at is not null;
create index frontier_due on frontier (source_id, next_fetch_at) where status <> 'waiting' and next_fetch_at is not null;

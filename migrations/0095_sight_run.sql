-- Which run gave the telling an item has now. Until here a poorer sighting earlier in a run kept the item's own page
-- from renewing it in that run.
alter table calendar_events add column sight_run_id uuid;
alter table articles add column sight_run_id uuid;

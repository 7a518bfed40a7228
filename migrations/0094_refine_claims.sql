-- The claim of refinement walks the waiting items of each source. With an index on all waiting items the planner chose
-- that one as soon as statistics said that few wait, and read every waiting item once per source.
drop index raw_items_pending;

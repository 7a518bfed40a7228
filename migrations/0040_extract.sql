-- What makes the yield of a source comparable with its own history, and what it taught us by itself.

alter table scraper_insights
  -- The page itself said that nothing is planned.
  add column says_empty boolean not null default false,
  -- How many of the items had each field.
  add column fields jsonb not null default '{}';

create index scraper_insights_page on scraper_insights (page_id);

alter table source_learning
  -- What we wrote to sources.preferred_method; a person's own choice is never overwritten.
  add column learned_method text,
  -- Pages in a row that another method had to read.
  add column losses_in_a_row integer not null default 0;

-- The readings of one address over time.
create index pages_frontier on pages (frontier_id, id desc);

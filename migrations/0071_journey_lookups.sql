-- What the journey of one address and the drop reasons of a period look for in the tables of the work itself.

create index journey_pages_title on pages (lower(left(title, 200)) text_pattern_ops) where title is not null;
create index journey_pages_time on pages using brin (fetched_at);
create index journey_raw_items_url on raw_items (url_hash);
create index journey_articles_url on articles (url_hash);
create index journey_staged_items_time on staged_items using brin (staged_at);

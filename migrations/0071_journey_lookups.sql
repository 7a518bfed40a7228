-- What the journey of one address and the drop reasons of a period look for in the tables of the work itself.

create index pages_frontier on pages (frontier_id, id);
create index pages_time on pages using brin (fetched_at);
create index raw_items_url on raw_items (url_hash);
create index articles_url on articles (url_hash);
create index staged_items_time on staged_items using brin (staged_at);

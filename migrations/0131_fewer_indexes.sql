-- One index per question: the address of an item finds it with or without its source.

drop index calendar_events_url;

alter table articles drop constraint articles_source_id_url_hash_key;
alter table articles add unique (url_hash, source_id);
drop index journey_articles_url;

-- Vectors hardly shrink when they are compressed: trying costs more than the vector itself.
alter table articles alter column search set storage external;

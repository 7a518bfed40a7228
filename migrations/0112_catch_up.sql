-- Due at once, whatever the clock of the worker says.
alter table publish_queue alter column next_attempt_at set default '-infinity';

-- An item of the calendar is looked up by its address too.
create index journey_calendar_url on calendar_events (url_hash) where url_hash is not null;

-- The search mirror has a queue of its own.
alter table follow_ups drop constraint follow_ups_kind_check;
alter table follow_ups add constraint follow_ups_kind_check check (kind in ('geocode', 'enrich', 'embed'));

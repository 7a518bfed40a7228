-- Days of a series carry the series' own identifier and the day they were planned for: "uid#2026-05-20". A day that is
-- moved with its whole series is found by the series.

create function event_series(uid text) returns text language sql immutable parallel safe as $$
  select substring(uid from '^(.+)#\d{4}-\d\d-\d\d[^#]*$')
$$;

create index calendar_events_series on calendar_events (source_id, event_series(source_uid), starts_at)
  where event_series(source_uid) is not null;

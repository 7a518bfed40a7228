-- Events and towns are asked for by the name of the town, in any case.
create index calendar_events_city_idx on calendar_events (lower(city));

-- A title of blanks is no title. What is kept already is not looked through: its titles were cleaned on the way in.
alter table articles add constraint articles_title_says_something check (btrim(title) <> '') not valid;
alter table calendar_events add constraint calendar_events_title_says_something check (btrim(title) <> '') not valid;

-- What an item was classified as goes to the search mirror too, in an index of its own.

create trigger mirror_new_classifications after insert on item_classifications
referencing new table as changed for each statement execute function mirror_changed_items();
create trigger mirror_changed_classifications after update on item_classifications
referencing new table as changed for each statement execute function mirror_changed_items();

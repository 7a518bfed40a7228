-- No query reads these, and every item refined paid for them: three of the entries written per item.
drop index raw_items_source;
drop index item_changes_source;
drop index staged_items_run;

-- A run that ends well may still have read nothing: every page refused, or most of them. What was wrong, in words.

alter table jobs add column last_run_problem text;

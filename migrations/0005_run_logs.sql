-- What a run says while it works. Ids ascend in the order lines become visible for one run, because its only
-- writer holds the run's row while it takes them: a reader that asks for "after id n" misses nothing.

create sequence run_log_ids;

create table run_logs (
  run_id uuid not null,
  id bigint not null,
  job_id uuid,
  at timestamptz not null,
  level text not null check (level in ('debug', 'info', 'warn', 'error')),
  category text not null,
  message text not null,
  fields jsonb,
  primary key (run_id, id)
);

create index run_logs_of_job on run_logs (job_id, id) where job_id is not null;

-- The queue. A run is leased: it belongs to whoever holds its lease_token, as long as the row of that worker
-- is alive. The lease of a run is the lease of its worker, so a heartbeat is one row, not one per run.

-- UUID version 7 of a moment, so that ids sort by time.
create function uuid_v7(at timestamptz default clock_timestamp())
returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

-- The smallest id of a moment: ranges of time are ranges of ids, and need no index of their own.
create function uuid_floor(at timestamptz)
returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

create table workers (
  id uuid primary key,
  instance_id text not null,
  host_name text not null,
  pid integer not null,
  concurrency integer not null,
  started_at timestamptz not null,
  heartbeat_at timestamptz not null,
  lease_until timestamptz not null,
  -- Stopping workers claim nothing more.
  stopping boolean not null default false
) with (fillfactor = 50);

create table runs (
  id uuid primary key,
  job_id uuid,
  source_id uuid,
  round_id uuid,
  -- Who asked over the API, for one-off crawls.
  requested_by uuid,
  -- How many runs of its source may go at once; null means no limit.
  source_limit smallint,
  priority smallint not null default 50,
  retry_count smallint not null default 0,
  max_retries smallint not null default 3,
  retry_backoff_seconds integer not null default 60,
  execution_number integer,
  status text not null default 'pending'
    check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
  trigger text not null default 'schedule'
    check (trigger in ('schedule', 'force', 'retry', 'round', 'one_off')),
  host_key text not null default '',
  -- Not before this moment.
  run_at timestamptz not null,
  -- The order of the queue: run_at minus a minute per point of priority. A point of priority is worth a minute
  -- of waiting, so the order never changes while rows wait and low priority is overtaken for 100 minutes at most.
  rank_at timestamptz not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  worker_id uuid,
  lease_token uuid,
  -- What to do: url, depth, limits, strategy.
  payload jsonb not null default '{}',

  -- {percent, phase, counters…}, written while it runs.
  progress jsonb,
  items_crawled integer,
  items_indexed integer,
  -- Everything else the run counted: items_new, items_updated, items_skipped, errors, dead_letters…
  counters jsonb,
  error_message text,
  stack_trace text,
  cpu_time_ms integer,
  memory_peak_mb integer,
  content_hash text,
  -- Earlier attempts: [{at, worker, reason}].
  attempts jsonb,
  log_lines integer not null default 0,
  log_dropped integer not null default 0,
  metadata jsonb
) with (
  -- Rows change a few times and then rest; room on the page keeps progress updates off the indexes, and the
  -- queue's dead rows must not wait for a fifth of a million finished ones to be worth a vacuum.
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.1
);

-- Only rows that wait, in the order they are taken: finished rows cost a claim nothing.
create index runs_pending on runs (rank_at, id) where status = 'pending';
create index runs_running on runs (worker_id) where status = 'running';
create index runs_of_job on runs (job_id, id) where job_id is not null and status in ('completed', 'failed', 'cancelled');
create index runs_of_round on runs (round_id) where round_id is not null;
create index runs_of_caller on runs (requested_by, id) where requested_by is not null;

-- Takes up to p_limit runs for a worker, best first, within the limits per source and host. Limits are exact:
-- claimers of one host or source take turns by an advisory lock and count again once they hold it (each statement
-- of a function sees what was committed before it).
create function claim_runs(p_worker uuid, p_token uuid, p_limit integer, p_host_limit integer, p_now timestamptz)
returns setof runs language plpgsql
-- The queue is read in the order of its index, always: with old statistics the planner prefers to sort all that waits.
set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off
as $$
declare
  -- The database's own clock unless a test sets another: machines disagree about the time.
  v_now timestamptz := coalesce(p_now, now());
  full_hosts text[] := '{}';
  full_sources uuid[];
  picked uuid[];
  limited boolean;
begin
  if p_limit <= 0 then return; end if;

  if p_host_limit is not null then
    select coalesce(array_agg(busy.host_key), '{}') into full_hosts
      from (select r.host_key from runs r where r.status = 'running' and r.host_key <> ''
            group by r.host_key having count(*) >= p_host_limit) busy;
  end if;
  select coalesce(array_agg(busy.source_id), '{}') into full_sources
    from (select r.source_id from runs r where r.status = 'running' and r.source_limit is not null
          group by r.source_id having count(*) >= min(r.source_limit)) busy;

  select array_agg(c.id), bool_or(c.source_limit is not null or (c.host_key <> '' and p_host_limit is not null))
    into picked, limited
    from (select r.id, r.source_limit, r.host_key from runs r
          where r.status = 'pending' and r.run_at <= v_now
            and r.host_key <> all (full_hosts)
            and (r.source_limit is null or r.source_id <> all (full_sources))
          order by r.rank_at, r.id
          limit p_limit
          for update skip locked) c;
  if picked is null then return; end if;

  if limited then
    perform pg_advisory_xact_lock(1836019302, hashtext(k.key))
      from (select distinct key from runs r
            cross join lateral (values
              (case when p_host_limit is not null and r.host_key <> '' then r.host_key end),
              (case when r.source_limit is not null then r.source_id::text end)) as v (key)
            where r.id = any (picked) and key is not null
            order by key) k;
    select array_agg(x.id) into picked from (
      select r.id, r.source_limit, r.host_key,
        row_number() over (partition by r.source_id order by r.rank_at, r.id)
          + (select count(*) from runs b where b.status = 'running' and b.source_id = r.source_id) as in_source,
        row_number() over (partition by r.host_key order by r.rank_at, r.id)
          + (select count(*) from runs b where b.status = 'running' and b.host_key = r.host_key) as in_host
      from runs r where r.id = any (picked)) x
    where (x.source_limit is null or x.in_source <= x.source_limit)
      and (p_host_limit is null or x.host_key = '' or x.in_host <= p_host_limit);
    if picked is null then return; end if;
  end if;

  return query
    update runs r
    set status = 'running', worker_id = p_worker, lease_token = p_token, started_at = v_now
    where r.id = any (picked)
    returning r.*;
end
$$;

-- Writes the outcome of runs that are still held by their token; a lost lease changes nothing and returns nothing.
create function finish_runs(p_outcomes jsonb, p_now timestamptz)
returns setof runs language plpgsql
-- plpgsql keeps the plan between calls; one row at a time by its key is always the right one.
set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_seqscan = off
as $$
begin
  return query update runs r
  set status = o.status,
      completed_at = case when o.status = 'pending' then null else coalesce(p_now, now()) end,
      run_at = coalesce(o.run_at, r.run_at),
      rank_at = case when o.run_at is null then r.rank_at else o.run_at - make_interval(mins => r.priority) end,
      retry_count = r.retry_count + coalesce(o.retries, 0),
      lease_token = null,
      worker_id = case when o.status = 'pending' then null else r.worker_id end,
      items_crawled = coalesce(o.items_crawled, r.items_crawled),
      items_indexed = coalesce(o.items_indexed, r.items_indexed),
      counters = coalesce(o.counters, r.counters),
      error_message = o.error_message,
      stack_trace = o.stack_trace,
      cpu_time_ms = coalesce(o.cpu_time_ms, r.cpu_time_ms),
      memory_peak_mb = coalesce(o.memory_peak_mb, r.memory_peak_mb),
      content_hash = coalesce(o.content_hash, r.content_hash),
      attempts = case when o.reason is null then r.attempts
        else coalesce(r.attempts, '[]') || jsonb_build_array(jsonb_build_object(
          'attempt', r.retry_count + 1, 'started_at', r.started_at, 'ended_at', coalesce(p_now, now()),
          'worker_id', r.worker_id, 'reason', o.reason)) end,
      metadata = coalesce(o.metadata, r.metadata)
  from jsonb_to_recordset(p_outcomes) as o (
    id uuid, token uuid, status text, run_at timestamptz, retries smallint,
    items_crawled integer, items_indexed integer, counters jsonb, error_message text, stack_trace text,
    cpu_time_ms integer, memory_peak_mb integer, content_hash text, reason text, metadata jsonb)
  where r.id = o.id and r.lease_token = o.token and r.status = 'running'
  returning r.*;
end
$$;

-- One round trip for a busy worker: what it finished goes in, its next batch comes out.
create function finish_and_claim(
  p_outcomes jsonb, p_worker uuid, p_token uuid, p_limit integer, p_host_limit integer, p_now timestamptz)
returns setof runs language plpgsql as $$
begin
  perform 1 from finish_runs(p_outcomes, p_now);
  return query select * from claim_runs(p_worker, p_token, p_limit, p_host_limit, p_now);
end
$$;

-- The same queue, faster: finishing does not slow down with history, and a claim returns only what a worker reads.

-- Claims step over dead rows once and mark them, so a vacuum may wait until it is worth reading a long history for.
alter table runs set (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 10000);

-- Runs under a limit of their source, for counting: those without one cost a claim nothing.
create index runs_limited on runs (source_id) where status = 'running' and source_limit is not null;

drop function finish_and_claim(jsonb, uuid, uuid, integer, integer, timestamptz);
drop function claim_runs(uuid, uuid, integer, integer, timestamptz);
drop function finish_runs(jsonb, timestamptz);

-- Writes the outcome of runs that are still held by their token; a lost lease changes nothing and returns nothing.
create function finish_runs(p_outcomes jsonb, p_now timestamptz)
returns setof runs language plpgsql
-- plpgsql keeps the plan between calls, and one is always right: the keys are looked up in one pass over the index,
-- then matched by hash. "is not distinct from" keeps the index of running rows out of it: statistics see a moment
-- when nothing ran, and the plan would read all that runs once per outcome.
set enable_nestloop = off set enable_mergejoin = off set enable_bitmapscan = off set enable_seqscan = off
as $$
declare
  v_ids uuid[] := array(select (o ->> 'id')::uuid from jsonb_array_elements(p_outcomes) o);
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
  where r.id = any (v_ids) and r.id = o.id and r.lease_token = o.token and r.status is not distinct from 'running'
  returning r.*;
end
$$;

-- Takes up to p_limit runs for a worker, best first, within the limits per source and host. Limits are exact:
-- claimers of one host or source take turns by an advisory lock and count again once they hold it (each statement
-- of a function sees what was committed before it).
-- What the worker finished goes in first, so that a busy one needs a single round trip.
create function claim_runs(
  p_worker uuid, p_token uuid, p_limit integer, p_host_limit integer, p_now timestamptz, p_finished jsonb default null)
returns table (
  id uuid, job_id uuid, source_id uuid, round_id uuid, requested_by uuid, host_key text, trigger text, payload jsonb,
  retry_count smallint, max_retries smallint, retry_backoff_seconds integer, execution_number integer,
  progress jsonb, metadata jsonb, attempts jsonb, created_at timestamptz, lease_token uuid)
language plpgsql
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
  if p_finished is not null then perform from finish_runs(p_finished, p_now); end if;
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
    returning r.id, r.job_id, r.source_id, r.round_id, r.requested_by, r.host_key, r.trigger, r.payload,
      r.retry_count, r.max_retries, r.retry_backoff_seconds, r.execution_number,
      r.progress, r.metadata, r.attempts, r.created_at, r.lease_token;
end
$$;

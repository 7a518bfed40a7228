-- How each source is doing, in one row: may it be crawled now, and how much does it deserve to be?

create view source_health as
select
  s.id as source_id, s.name, s.url, s.host_key, s.kind, s.tags, s.group_id, s.enabled, s.auto_disabled,
  j.id as job_id, j.status as job_status, j.active_run_id, j.failure_count as consecutive_failures,
  j.last_run_at, j.last_success_at, j.items_total as historical_items,
  coalesce(b.state, 'closed') as circuit_state,
  coalesce(b.failure_count, 0) as circuit_failures,
  greatest(
    case when b.state <> 'closed' then greatest(b.cooldown_until, b.probe_until) end,
    case when h.state <> 'closed' then greatest(h.cooldown_until, h.probe_until) end,
    j.backoff_until) as cooldown_until,
  case
    when not s.enabled then 'disabled'
    when s.auto_disabled then 'auto_disabled'
    when j.id is null then 'no_job'
    when b.state <> 'closed' and (b.cooldown_until > now() or b.probe_until > now()) then 'breaker_open'
    when h.state <> 'closed' and (h.cooldown_until > now() or h.probe_until > now()) then 'host_breaker_open'
    when j.backoff_until > now() then 'cooling_down'
    when j.active_run_id is not null then 'already_running'
    when j.status not in ('pending', 'scheduled') then 'job_' || j.status
  end as unavailable_because,
  coalesce(j.success_count::double precision / nullif(j.execution_count, 0), 0.5) as reliability,
  -- A source that was never crawled counts as a month old.
  coalesce(extract(epoch from now() - j.last_run_at) / 86400, 30)::double precision * 10
    + coalesce(j.items_total, 0) / 10.0::double precision
    + coalesce(j.success_count::double precision / nullif(j.execution_count, 0), 0.5) * 5
    - coalesce(j.failure_count, 0) * 20 as priority_score
from sources s
left join jobs j on j.source_id = s.id and j.auto_managed
left join breakers b on b.kind = 'source' and b.key = s.id::text
left join breakers h on h.kind = 'host' and h.key = s.host_key;

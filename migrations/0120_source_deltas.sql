-- What a transaction changes in the sums of single sources is one row of arrays instead of some four rows per event:
-- writers append less, and questions about all sources no longer read past what concerns single ones. The two older
-- tables keep the sums of all sources together (source 0); what they still hold of single ones is folded as before.

create table stage_source_deltas (
  tally_sources integer[] not null,
  tally_kinds smallint[] not null,
  tally_models integer[] not null,
  tally_values integer[] not null,
  tally_hours integer[] not null,
  tally_counts integer[] not null,
  pair_sources integer[] not null,
  pair_lanes smallint[] not null,
  pair_hours integer[] not null,
  pair_next_hours integer[] not null,
  pair_counts integer[] not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create view stage_tally_changes as
select source_id, kind, model, value, hour, n from stage_tally_deltas
union all
select u.source_id, u.kind, u.model, u.value, u.hour, u.n
from stage_source_deltas d
cross join lateral unnest(d.tally_sources, d.tally_kinds, d.tally_models, d.tally_values, d.tally_hours, d.tally_counts)
  as u (source_id, kind, model, value, hour, n);

create view stage_pair_changes as
select source_id, lane, hour, next_hour, n from stage_pair_deltas
union all
select u.source_id, u.lane, u.hour, u.next_hour, u.n
from stage_source_deltas d
cross join lateral unnest(d.pair_sources, d.pair_lanes, d.pair_hours, d.pair_next_hours, d.pair_counts)
  as u (source_id, lane, hour, next_hour, n);

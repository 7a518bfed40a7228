-- A source's models, scores, topics, channels and latencies by day, as those of all sources are kept by hour; until
-- now they came from the rows of all its articles, which took two seconds for a month.

-- Writers append some five deltas per event; an index on them cost more than reading them all does.
drop index stage_tally_deltas_source;
drop index stage_pair_deltas_source;
-- What figures of a source still read from rows: the days that lie only partly in a range.
create index stage_events_judged on stage_events (source_id, occurred_at) where stage in (3, 5);
drop index stage_articles_source;

insert into stage_tally_days (kind, source_id, day, model, value, n)
with judged as (
  select e.source_id, e.stage, floor(extract(epoch from e.occurred_at) / 86400)::int as day, e.metadata,
    coalesce(m.id, 0) as model
  from stage_events e
  left join stage_names m on jsonb_typeof(e.metadata -> 'model_version') = 'string'
    and m.name = btrim(left(e.metadata ->> 'model_version', 200))
  where e.stage in (3, 5)
)
select 10, source_id, day, model, 0, count(*) from judged where stage = 3 and model > 0 group by 2, 3, 4
union all
select 11, source_id, day, model, round((metadata ->> 'quality_score')::numeric * 100)::int, count(*)
from judged
where stage = 3 and case when jsonb_typeof(metadata -> 'quality_score') = 'number'
  then abs((metadata ->> 'quality_score')::numeric) <= 1000000 else false end
group by 2, 3, 4, 5
union all
select 12, source_id, day, model, n.id, count(*)
from judged
cross join lateral (
  select distinct btrim(left(topic #>> '{}', 200)) as name
  from jsonb_path_query_array(metadata, 'lax $.topics[0 to 49]') as topics, jsonb_array_elements(topics) as topic
  where jsonb_typeof(metadata -> 'topics') = 'array' and jsonb_typeof(topic) = 'string'
) t
join stage_names n on n.name = t.name
where stage = 3
group by 2, 3, 4, 5
union all
select 13, source_id, day, 0, n.id, count(*)
from judged join stage_names n on n.name = btrim(left(metadata ->> 'channel', 200))
where stage = 5 and jsonb_typeof(metadata -> 'channel') = 'string'
group by 2, 3, 5
union all
select v.kind, a.source_id, floor(extract(epoch from v.done) / 86400)::int, 0,
  round(greatest(0, extract(epoch from v.done - v.began)) / 6)::int, count(*)
from stage_marks m
join stage_articles a on a.id = m.article_id
cross join lateral (values (20, m.first_crawled, m.first_classified),
  (21, m.first_classified, m.first_published), (22, m.first_crawled, m.first_published)) as v (kind, began, done)
where v.began is not null and v.done is not null
group by 1, 2, 3, 5
on conflict (kind, source_id, day, model, value) do nothing;

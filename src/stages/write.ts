import { numberArray, textArray } from '../db/arrays.ts'
import type { Tx } from '../db/pool.ts'
import type { Marks } from './article-marks.ts'
import type { Changes, Pair, Tally } from './changes.ts'
import { metadataText, type StageEvent } from './event.ts'
import type { Fact } from './facts.ts'
import type { Identities } from './identities.ts'

export interface EventRow {
  event: StageEvent
  facts: readonly Fact[]
  marks: Marks
  stage: number
  /** Of the time it occurred. */
  hour: number
  reclassification: boolean
  /** When it occurred, as text. */
  at: string
  key: string
  /** Article, stage and key: what makes it the same event. */
  identity: string
  serviceId: number
}

/** Keys of an article's events in any month; the unique index knows only those of one month. */
export async function knownIdentities(tx: Tx, rows: EventRow[]): Promise<Set<string>> {
  const seen = rows.filter((row) => (row.marks.last[row.stage] ?? 0) > 0)
  if (seen.length === 0) return new Set()
  const known = await tx<{ identity: string }[]>`
    select article_id || ':' || stage || ':' || key_hash as identity
    from stage_events
    where article_id = any(${numberArray([...new Set(seen.map((row) => row.marks.articleId))])}::bigint[])
      and key_hash = any(${numberArray(seen.map((row) => row.key))}::bigint[])`
  return new Set(known.map((row) => row.identity))
}

/**
 * Stores events that are not there yet: with the marks locked, nobody else can store them meanwhile, so there is no
 * conflict to expect, and one that comes all the same is an error.
 */
export async function insertEvents(tx: Tx, rows: EventRow[], receivedAt: Date): Promise<void> {
  await tx`
    insert into stage_events (article_id, stage, key_hash, occurred_at, received_at, source_id, service_id,
      schema_version, reclassification, metadata)
    select g.article_id, g.stage, g.key_hash, g.occurred_at, ${receivedAt}, g.source_id, g.service_id,
      g.schema_version, g.reclassification = 1, g.metadata
    from unnest(
      ${numberArray(rows.map((row) => row.marks.articleId))}::bigint[],
      ${numberArray(rows.map((row) => row.stage))}::smallint[],
      ${numberArray(rows.map((row) => row.key))}::bigint[],
      ${textArray(rows.map((row) => row.at))}::timestamptz[],
      ${numberArray(rows.map((row) => row.marks.sourceId))}::integer[],
      ${numberArray(rows.map((row) => row.serviceId))}::integer[],
      ${numberArray(rows.map((row) => row.event.metadataSchemaVersion ?? 1))}::smallint[],
      ${numberArray(rows.map((row) => (row.reclassification ? 1 : 0)))}::smallint[],
      ${textArray(rows.map((row) => metadataText(row.event)))}::jsonb[]
    ) as g (article_id, stage, key_hash, occurred_at, source_id, service_id, schema_version, reclassification, metadata)`
}

/** Everything that changes besides the events themselves, as one statement. */
export async function applyChanges(
  tx: Tx,
  { marks, all, bySource }: Changes,
  identities: Identities,
): Promise<void> {
  const fresh = marks.filter((row) => row.isNew)
  const moved = marks.filter((row) => !row.isNew)
  const tally = tallyArrays(all.tallies, identities)
  const pair = pairArrays(all.pairs)
  const sourceTally = tallyArrays(bySource.tallies, identities)
  const sourcePair = pairArrays(bySource.pairs)
  await tx`
    with ${fresh.length === 0 ? tx`` : insertMarks(tx, fresh)} ${moved.length === 0 ? tx`` : updateMarks(tx, moved)}
    sourced as (
      insert into stage_source_deltas (tally_sources, tally_kinds, tally_models, tally_values, tally_hours, tally_counts,
        pair_sources, pair_lanes, pair_hours, pair_next_hours, pair_counts)
      values (${sourceTally.sources}, ${sourceTally.kinds}, ${sourceTally.models}, ${sourceTally.values},
        ${sourceTally.hours}, ${sourceTally.counts}, ${sourcePair.sources}, ${sourcePair.lanes}, ${sourcePair.hours},
        ${sourcePair.nextHours}, ${sourcePair.counts})
    ), tallied as (
      insert into stage_tally_deltas (source_id, kind, model, value, hour, n)
      select * from unnest(${tally.sources}::integer[], ${tally.kinds}::smallint[], ${tally.models}::integer[],
        ${tally.values}::integer[], ${tally.hours}::integer[], ${tally.counts}::integer[])
    )
    insert into stage_pair_deltas (source_id, lane, hour, next_hour, n)
    select * from unnest(${pair.sources}::integer[], ${pair.lanes}::smallint[], ${pair.hours}::integer[],
      ${pair.nextHours}::integer[], ${pair.counts}::integer[])`
}

function insertMarks(tx: Tx, marks: Marks[]) {
  return tx`begun as (
      insert into stage_marks (article_id, last_crawled, last_indexed, last_classified, last_routed, last_published,
        last_initial, first_crawled, first_classified, first_published)
      select * from ${markArrays(tx, marks)}
    ),`
}

function updateMarks(tx: Tx, marks: Marks[]) {
  return tx`moved as (
      update stage_marks m
      set last_crawled = g.last_crawled, last_indexed = g.last_indexed, last_classified = g.last_classified,
        last_routed = g.last_routed, last_published = g.last_published, last_initial = g.last_initial,
        first_crawled = g.first_crawled, first_classified = g.first_classified, first_published = g.first_published
      from ${markArrays(tx, marks)}
      where m.article_id = g.article_id
        and m.article_id = any(${numberArray(marks.map((row) => row.articleId))}::bigint[])
    ),`
}

function markArrays(tx: Tx, marks: Marks[]) {
  const last = (lane: number): string => numberArray(marks.map((row) => row.last[lane] ?? 0))
  const first = (stage: number): string =>
    textArray(marks.map((row) => row.first[stage]?.toISOString() ?? null))
  return tx`unnest(
        ${numberArray(marks.map((row) => row.articleId))}::bigint[],
        ${last(1)}::integer[], ${last(2)}::integer[], ${last(3)}::integer[],
        ${last(4)}::integer[], ${last(5)}::integer[], ${last(6)}::integer[],
        ${first(1)}::timestamptz[], ${first(3)}::timestamptz[], ${first(5)}::timestamptz[]
      ) as g (article_id, last_crawled, last_indexed, last_classified, last_routed, last_published, last_initial,
        first_crawled, first_classified, first_published)`
}

function tallyArrays(tallies: Tally[], identities: Identities) {
  return {
    sources: numberArray(tallies.map((tally) => tally.sourceId)),
    kinds: numberArray(tallies.map((tally) => tally.kind)),
    models: numberArray(tallies.map((tally) => identities.name(tally.model))),
    values: numberArray(
      tallies.map((tally) =>
        tally.name === undefined ? tally.value : identities.name(tally.name),
      ),
    ),
    hours: numberArray(tallies.map((tally) => tally.hour)),
    counts: numberArray(tallies.map((tally) => tally.n)),
  }
}

function pairArrays(pairs: Pair[]) {
  return {
    sources: numberArray(pairs.map((pair) => pair.sourceId)),
    lanes: numberArray(pairs.map((pair) => pair.lane)),
    hours: numberArray(pairs.map((pair) => pair.hour)),
    nextHours: numberArray(pairs.map((pair) => pair.nextHour)),
    counts: numberArray(pairs.map((pair) => pair.n)),
  }
}

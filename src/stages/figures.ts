import type { Tx } from '../db/pool.ts'
import { addTo, type Distribution } from './distribution.ts'
import { factsOf, latencyTenths, type Fact } from './facts.ts'
import { hourMs, kinds, stageOfNumber } from './kinds.ts'
import { cutByDays, cutRange, type Cut } from './range.ts'
import type { Snapshot } from './snapshot.ts'
import { sumTallies } from './sums.ts'

/** What was classified and published in a range, and how long it took. */
export interface Figures {
  models: Map<string, { classified: number; quality: Distribution; topics: Map<string, number> }>
  channels: Map<string, number>
  /** Tenths of a minute, by kind. */
  latencies: Map<number, Distribution>
}

export const latencyKinds = [kinds.crawlToClassify, kinds.classifyToPublish, kinds.crawlToPublish]
const figureKinds = [kinds.model, kinds.quality, kinds.topic, kinds.channel, ...latencyKinds]

/** From the sums, by hour for all sources and by day for one; what lies only partly in the range from its rows. */
export async function readFigures(
  { tx, latestEvent }: Snapshot,
  range: { from: Date; to: Date },
  sourceIds: number[] | null,
): Promise<Figures> {
  const figures: Figures = { models: new Map(), channels: new Map(), latencies: new Map() }
  const cut = sourceIds === null ? cutRange(range, latestEvent) : cutByDays(range, latestEvent)
  await Promise.all([
    addSums(tx, cut, sourceIds ?? [0], figures),
    ...cut.ends.flatMap((end) => [
      addRows(tx, end, sourceIds, figures),
      addLatencies(tx, end, sourceIds, figures),
    ]),
  ])
  return figures
}

async function addSums(tx: Tx, cut: Cut, sourceIds: number[], figures: Figures): Promise<void> {
  const [sums, names] = await Promise.all([
    sumTallies(tx, cut, { kinds: figureKinds, sourceIds }),
    namesOf(tx),
  ])
  for (const { kind, model, value, n } of sums) {
    if (latencyKinds.some((latency) => latency === kind)) {
      addTo(latencyOf(figures, kind), value, n)
      continue
    }
    const fact: Fact = { kind, value }
    if (model > 0) fact.model = names.get(model) ?? ''
    if (kind === kinds.topic || kind === kinds.channel) fact.name = names.get(value) ?? ''
    addFact(figures, fact, n)
  }
}

/** One row per distinct metadata, so that an hour of repeats stays small. */
async function addRows(
  tx: Tx,
  stretch: { from: Date; to: Date },
  sourceIds: number[] | null,
  figures: Figures,
): Promise<void> {
  const rows = await tx<{ stage: number; metadata: Record<string, unknown> | null; n: number }[]>`
    select stage::int, metadata, count(*)::int as n from ${judged(tx, stretch, sourceIds)} e
    group by stage, metadata`
  for (const { stage, metadata, n } of rows) {
    for (const fact of factsOf({ stage: stageOfNumber(stage), metadata })) addFact(figures, fact, n)
  }
}

/** Latencies that ended in the stretch: the article's first event of the later stage lies in it. */
async function addLatencies(
  tx: Tx,
  stretch: { from: Date; to: Date },
  sourceIds: number[] | null,
  figures: Figures,
): Promise<void> {
  const { from, to } = stretch
  const rows = await tx<
    { first_crawled: Date | null; first_classified: Date | null; first_published: Date | null }[]
  >`
    select m.first_crawled, m.first_classified, m.first_published
    from stage_marks m
    where m.article_id in (select article_id from ${judged(tx, stretch, sourceIds)} e)`
  for (const { first_crawled, first_classified, first_published } of rows) {
    const add = (kind: number, start: Date | null, end: Date | null): void => {
      if (start !== null && end !== null && end >= from && end < to)
        addTo(latencyOf(figures, kind), latencyTenths(start, end), 1)
    }
    add(kinds.crawlToClassify, first_crawled, first_classified)
    add(kinds.classifyToPublish, first_classified, first_published)
    add(kinds.crawlToPublish, first_crawled, first_published)
  }
}

/** Classified and published events of a stretch. */
function judged(tx: Tx, { from, to }: { from: Date; to: Date }, sourceIds: number[] | null) {
  return tx`(
    select stage, metadata, article_id from stage_events
    where occurred_at >= ${from} and occurred_at < ${to} and stage in (3, 5)
      ${sourceIds === null ? tx`` : tx`and source_id = any(${sourceIds}::integer[])`})`
}

function addFact(figures: Figures, fact: Fact, n: number): void {
  if (fact.kind === kinds.channel && fact.name !== undefined) {
    figures.channels.set(fact.name, (figures.channels.get(fact.name) ?? 0) + n)
    return
  }
  if (fact.kind < kinds.model || fact.kind > kinds.topic) return
  const name = fact.model ?? ''
  const model = figures.models.get(name) ?? { classified: 0, quality: new Map(), topics: new Map() }
  figures.models.set(name, model)
  if (fact.kind === kinds.model) model.classified += n
  if (fact.kind === kinds.quality) addTo(model.quality, fact.value ?? 0, n)
  if (fact.kind === kinds.topic && fact.name !== undefined)
    model.topics.set(fact.name, (model.topics.get(fact.name) ?? 0) + n)
}

function latencyOf(figures: Figures, kind: number): Distribution {
  const known = figures.latencies.get(kind)
  if (known !== undefined) return known
  const fresh: Distribution = new Map()
  figures.latencies.set(kind, fresh)
  return fresh
}

async function namesOf(tx: Tx): Promise<Map<number, string>> {
  const rows = await tx<{ id: number; name: string }[]>`select id, name from stage_names`
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** When each model version was first used, to the hour. */
export async function firstUseOfModels(tx: Tx): Promise<Map<string, Date>> {
  const rows = await tx<{ name: string; hour: number }[]>`
    select name, min(hour)::float8 as hour
    from (
      select model, hour from stage_tally_hours where kind = ${kinds.model} and source_id = 0
      union all
      select model, day * 24 from stage_tally_days where kind = ${kinds.model} and source_id = 0
        and day < (select coalesce(min(hour), 2147483647) / 24 from stage_tally_hours where kind = ${kinds.model} and source_id = 0)
      union all
      select model, hour from stage_tally_deltas where kind = ${kinds.model} and source_id = 0
    ) used
    join stage_names on stage_names.id = used.model
    group by name`
  return new Map(rows.map((row) => [row.name, new Date(row.hour * hourMs)]))
}

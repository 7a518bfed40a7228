import type { Tx } from '../db/pool.ts'
import { average, median, rounded, type Distribution } from './distribution.ts'
import { firstUseOfModels, readFigures, type Figures } from './figures.ts'
import { countStages } from './funnel.ts'
import { dayMs, kinds } from './kinds.ts'
import { cutRange, type Cut } from './range.ts'
import type { Snapshot } from './snapshot.ts'
import { sumBySource } from './sums.ts'

/** Everything the cards of the pipeline page show, over one state of the database. */
export async function readStats(
  snapshot: Snapshot,
  range: { from: Date; to: Date },
  sourceIds: number[] | null,
) {
  const { tx, latestEvent } = snapshot
  const cut = cutRange(range, latestEvent)
  const [counts, figures, sources] = await Promise.all([
    countStages(snapshot, range, sourceIds),
    readFigures(snapshot, range, sourceIds),
    bySource(tx, cut, sourceIds),
  ])
  const count = (kind: number): number => counts.events.get(kind) ?? 0
  const unique = (stage: number): number => counts.articles.get(stage) ?? 0
  const quality = merged(figures)
  return {
    crawl: {
      total_crawled: count(kinds.crawled),
      unique_urls: unique(kinds.crawled),
      duplicates: count(kinds.crawled) - unique(kinds.crawled),
      by_source: sources,
    },
    classification: {
      total_classified: count(kinds.classified),
      unique_articles: unique(kinds.classified),
      reclassifications: count(kinds.reclassified),
      avg_quality_score: hundredths(average(quality)),
      median_quality_score: hundredths(median(quality)),
      by_model_version: byModel(figures),
      by_topic: byTopic(figures),
    },
    publishing: {
      total_routed: count(kinds.routed),
      total_published: count(kinds.published),
      failed_publishes: Math.max(0, count(kinds.routed) - count(kinds.published)),
      by_channel: descending(figures.channels),
    },
    throughput: throughput(figures),
  }
}

/** How the classifier's versions differ. The two newest are compared. */
export async function readDrift(snapshot: Snapshot, range: { from: Date; to: Date }) {
  const { tx, now } = snapshot
  const figures = await readFigures(snapshot, range, null)
  const firstUse = await firstUseOfModels(tx)
  const versions = [...figures.models]
    .filter(([version]) => version !== '')
    .map(([version, model]) => ({
      version,
      firstUsed: firstUse.get(version) ?? now,
      average: average(model.quality),
      shares: new Map([...model.topics].map(([topic, n]) => [topic, n / model.classified])),
      classified: model.classified,
    }))
    .sort((a, b) => b.firstUsed.getTime() - a.firstUsed.getTime())
  const [newest, previous] = versions
  return {
    model_versions: versions.map((version) => ({
      version: version.version,
      articles_classified: version.classified,
      avg_quality_score: hundredths(version.average),
      topic_distribution: Object.fromEntries(
        [...version.shares].map(([topic, share]) => [topic, rounded(share, 4) ?? 0]),
      ),
      version_age_days: Math.floor((now.getTime() - version.firstUsed.getTime()) / dayMs),
    })),
    drift_indicators: {
      quality_score_delta:
        newest?.average == null || previous?.average == null
          ? null
          : hundredths(newest.average - previous.average),
      topic_distribution_shift:
        newest === undefined || previous === undefined
          ? null
          : rounded(shift(newest.shares, previous.shares), 4),
    },
  }
}

/** Half the sum of the differences: the part of the topics that moved. */
function shift(a: Map<string, number>, b: Map<string, number>): number {
  const topics = new Set([...a.keys(), ...b.keys()])
  return (
    [...topics].reduce(
      (sum, topic) => sum + Math.abs((a.get(topic) ?? 0) - (b.get(topic) ?? 0)),
      0,
    ) / 2
  )
}

async function bySource(
  tx: Tx,
  cut: Cut,
  sourceIds: number[] | null,
): Promise<Record<string, number>> {
  const sums = new Map((await sumBySource(tx, cut, sourceIds)).map((row) => [row.source_id, row.n]))
  for (const end of cut.ends) {
    const rows = await tx<{ source_id: number; n: number }[]>`
      select source_id, count(*)::float8 as n from stage_events
      where occurred_at >= ${end.from} and occurred_at < ${end.to} and stage = ${kinds.crawled}
      group by source_id`
    for (const row of rows) sums.set(row.source_id, (sums.get(row.source_id) ?? 0) + row.n)
  }
  const wanted = [...sums.keys()].filter((id) => sourceIds === null || sourceIds.includes(id))
  const names = await tx<{ id: number; name: string }[]>`
    select id, name from stage_sources where id = any(${wanted}::integer[])`
  const byName = new Map<string, number>()
  for (const { id, name } of names) byName.set(name, (byName.get(name) ?? 0) + (sums.get(id) ?? 0))
  return descending(byName)
}

function merged(figures: Figures): Distribution {
  const all: Distribution = new Map()
  for (const { quality } of figures.models.values())
    for (const [score, n] of quality) all.set(score, (all.get(score) ?? 0) + n)
  return all
}

function byModel(figures: Figures): Record<string, number> {
  const models = [...figures.models].filter(([version]) => version !== '')
  return descending(new Map(models.map(([version, model]) => [version, model.classified])))
}

function byTopic(figures: Figures): Record<string, number> {
  const topics = new Map<string, number>()
  for (const model of figures.models.values())
    for (const [topic, n] of model.topics) topics.set(topic, (topics.get(topic) ?? 0) + n)
  return descending(topics)
}

function throughput(figures: Figures) {
  const of = (kind: number): { average: number | null; median: number | null } => {
    const latencies = figures.latencies.get(kind) ?? new Map<number, number>()
    return { average: average(latencies), median: median(latencies) }
  }
  const minutes = (tenths: number | null): number | null =>
    rounded(tenths === null ? null : tenths / 10, 1)
  const crawlToClassify = of(kinds.crawlToClassify)
  const classifyToPublish = of(kinds.classifyToPublish)
  const endToEnd = of(kinds.crawlToPublish)
  return {
    median_crawl_to_classify_mins: minutes(crawlToClassify.median),
    avg_crawl_to_classify_mins: minutes(crawlToClassify.average),
    median_classify_to_publish_mins: minutes(classifyToPublish.median),
    avg_classify_to_publish_mins: minutes(classifyToPublish.average),
    median_end_to_end_mins: minutes(endToEnd.median),
    avg_end_to_end_mins: minutes(endToEnd.average),
  }
}

function hundredths(score: number | null): number | null {
  return score === null ? null : rounded(score / 100, 1)
}

function descending(sums: Map<string, number>): Record<string, number> {
  return Object.fromEntries([...sums].filter(([, n]) => n !== 0).sort(([, a], [, b]) => b - a))
}

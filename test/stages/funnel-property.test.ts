import fc from 'fast-check'
import { expect, test } from 'vitest'
import { transaction, type Sql } from '../../src/db/pool.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { normalizeUrl } from '../../src/kernel/url.ts'
import { foldDeltas } from '../../src/stages/fold.ts'
import { findStageSources, readFunnel } from '../../src/stages/funnel.ts'
import { stageNames } from '../../src/stages/kinds.ts'
import { resolveRange } from '../../src/stages/range.ts'
import { recordStage, type StageEvent } from '../../src/stages/record.ts'
import { inSnapshot } from '../../src/stages/snapshot.ts'
import { readStats } from '../../src/stages/stats.ts'
import { readTimeseries } from '../../src/stages/timeseries.ts'
import { useDatabase } from '../harness/database.ts'
import { distinctEvents, mean, middle, naiveFunnel, naiveMinutes } from './naive.ts'

const database = useDatabase()

const minuteMs = 60_000
// Around the night the clocks change in Europe, and the month's end three days later.
const start = Date.parse('2026-03-28T12:00:00Z')
const spanMinutes = 5 * 24 * 60

const moment = fc.oneof(
  fc.integer({ min: 0, max: spanMinutes }).map((minutes) => new Date(start + minutes * minuteMs)),
  fc
    .constantFrom(
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T00:59:59.999Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-31T21:59:59.999Z',
      '2026-03-31T23:59:59.999Z',
      '2026-04-01T00:00:00.000Z',
    )
    .map((text) => new Date(text)),
)

const stageEvent: fc.Arbitrary<StageEvent> = fc.record({
  url: fc.constantFrom(
    'https://a.example/1',
    'https://a.example/1#top',
    'https://a.example/2',
    'https://b.example/3',
    'https://c.example/4',
  ),
  source: fc.constantFrom('one', 'two').map((name) => ({ id: null, name })),
  stage: fc.constantFrom(...stageNames),
  occurredAt: moment,
  serviceName: fc.constantFrom('crawler', 'classifier'),
  idempotencyKey: fc.option(fc.constantFrom('k1', 'k2'), { nil: null, freq: 4 }),
  metadata: fc.option(
    fc.record({
      quality_score: fc.integer({ min: 0, max: 100 }),
      is_reclassification: fc.boolean(),
      model_version: fc.constantFrom('v1', 'v2'),
      topics: fc.subarray(['crime', 'news', 'mining']),
      channel: fc.constantFrom('articles:news', 'articles:crime'),
    }),
    { nil: null },
  ),
})

const range = fc
  .tuple(moment, moment, fc.integer({ min: 0, max: 3_599_999 }))
  .map(([a, b, off]) => {
    const from = new Date(Math.min(a.getTime(), b.getTime()))
    return { from, to: new Date(Math.max(a.getTime(), b.getTime()) + off) }
  })

async function forget(sql: Sql): Promise<void> {
  await sql`
    truncate stage_articles, stage_marks, stage_events, stage_tally_deltas, stage_tally_hours, stage_tally_days,
      stage_pair_deltas, stage_source_deltas, stage_pairs, stage_sources, stage_services, stage_names`
}

test(
  'funnel, series and stats equal a recomputation, whatever comes twice, late, or at the turn of a month or a clock',
  { timeout: 120_000 },
  async () => {
    const { sql } = database
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(stageEvent, { minLength: 1, maxLength: 12 }), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.array(range, { minLength: 2, maxLength: 4 }),
        fc.constantFrom('UTC', 'Europe/Amsterdam', 'Asia/Kolkata', 'Australia/Lord_Howe'),
        fc.boolean(),
        async (batches, ranges, timezone, excludeReclassifications) => {
          await forget(sql)
          for (const [index, batch] of batches.entries()) {
            await transaction(sql, (tx) => recordStage(tx, batch))
            if (index % 3 === 1) await foldDeltas(sql)
          }
          const events = distinctEvents(batches.flat())
          const sourceOf = new Map<string, string>()
          for (const event of batches.flat()) {
            const url = normalizeUrl(event.url) ?? ''
            if (!sourceOf.has(url)) sourceOf.set(url, event.source.name)
          }
          const clock = manualClock(new Date(start + (spanMinutes + 90) * minuteMs))
          const asked = [
            ...ranges,
            resolveRange({ period: '24h', timezone }, clock.now()),
            resolveRange({ period: 'today', timezone }, new Date('2026-03-29T20:17:00Z')),
            resolveRange({ period: '7d', timezone }, clock.now()),
          ]
          await inSnapshot(sql, clock, async (snapshot) => {
            for (const { from, to } of asked) {
              for (const source of [null, 'one']) {
                const sourceIds =
                  source === null ? null : await findStageSources(snapshot.tx, source)
                const filter = { sourceIds, excludeReclassifications }
                expect(await readFunnel(snapshot, { from, to }, filter)).toEqual(
                  naiveFunnel(events, { from, to, source, excludeReclassifications }, sourceOf),
                )
                await expectStats(snapshot, { from, to, source }, sourceIds)
              }
            }
            const week = resolveRange({ period: '7d', timezone }, clock.now())
            for (const bucket of await readTimeseries(snapshot, week, 'day', {
              sourceIds: null,
              excludeReclassifications,
            }))
              expect(bucket.stages).toEqual(
                naiveFunnel(events, { ...bucket, excludeReclassifications }, sourceOf),
              )
          })

          async function expectStats(
            snapshot: Parameters<typeof readStats>[0],
            filter: { from: Date; to: Date; source: string | null },
            sourceIds: number[] | null,
          ): Promise<void> {
            const stats = await readStats(snapshot, filter, sourceIds)
            const mine = events.filter(
              (event) =>
                filter.source === null ||
                sourceOf.get(normalizeUrl(event.url) ?? '') === filter.source,
            )
            const within = mine.filter(
              (event) => event.occurredAt >= filter.from && event.occurredAt < filter.to,
            )
            const classified = within.filter(
              (event) => event.stage === 'classified' && event.metadata,
            )
            const scores = classified
              .map((event) => Number(event.metadata?.['quality_score']))
              .sort((a, b) => a - b)
            expect(stats.classification.avg_quality_score).toBe(mean(scores))
            expect(stats.classification.median_quality_score).toBe(middle(scores))
            expect(stats.classification.reclassifications).toBe(
              classified.filter((event) => event.metadata?.['is_reclassification']).length,
            )
            expect(stats.classification.by_model_version).toEqual(
              tally(classified.map((event) => String(event.metadata?.['model_version']))),
            )
            expect(stats.classification.by_topic).toEqual(
              tally(classified.flatMap((event) => event.metadata?.['topics'] as string[])),
            )
            expect(stats.publishing.by_channel).toEqual(
              tally(
                within
                  .filter((event) => event.stage === 'published' && event.metadata)
                  .map((event) => String(event.metadata?.['channel'])),
              ),
            )
            expect(stats.crawl.by_source).toEqual(
              tally(
                within
                  .filter((event) => event.stage === 'crawled')
                  .map((event) => sourceOf.get(normalizeUrl(event.url) ?? '') ?? ''),
              ),
            )
            const ends = naiveMinutes(mine, filter, ['crawled', 'published'])
            expect(stats.throughput.median_end_to_end_mins).toBe(middle(ends))
            expect(stats.throughput.avg_end_to_end_mins).toBe(mean(ends))
            const classify = naiveMinutes(mine, filter, ['crawled', 'classified'])
            expect(stats.throughput.median_crawl_to_classify_mins).toBe(middle(classify))
          }
        },
      ),
      { numRuns: 15, seed: 9 },
    )
  },
)

function tally(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

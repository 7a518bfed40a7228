import type { Duty } from '../db/leader.ts'
import type { Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop } from '../kernel/loop.ts'
import { settleAlerts, type Finding, type StageAlert } from '../stages/alerts.ts'
import { readFunnel } from '../stages/funnel.ts'
import { hourMs, stageNumber, stageOfNumber } from '../stages/kinds.ts'
import type { StageMetrics } from '../stages/metrics.ts'
import { inSnapshot, type Snapshot } from '../stages/snapshot.ts'

export interface StageGapDeps {
  sql: Sql
  clock: Clock
  log: Log
  metrics: StageMetrics
}

const silentMinutes = 15
const lowRatio = 0.8
/** Fewer articles than this in an hour say nothing about a ratio. */
const leastIndexed = 20
const everyMs = 60_000

/** A stage that worked today is silent while others work, or too few of the last hour's indexed articles got classified. */
export async function findStageGaps(
  deps: StageGapDeps,
): Promise<{ opened: StageAlert[]; closed: StageAlert[] }> {
  const { sql, clock, log, metrics } = deps
  const findings = await inSnapshot(sql, clock, async (snapshot) => [
    ...(await silentStages(snapshot)),
    ...(await lowClassification(snapshot)),
  ])
  const { opened, closed } = await settleAlerts(sql, findings, clock.now())
  for (const alert of opened)
    log.warn(
      { kind: alert.kind, stage: stageOfNumber(alert.stage), ...alert.details },
      'stage events look wrong',
    )
  for (const alert of closed)
    log.info(
      { kind: alert.kind, stage: stageOfNumber(alert.stage) },
      'stage events look right again',
    )
  metrics.alerts.reset()
  for (const finding of findings)
    metrics.alerts.set({ kind: finding.kind, stage: stageOfNumber(finding.stage) }, 1)
  return { opened, closed }
}

export function startStageGaps(deps: StageGapDeps): Duty {
  return startLoop({
    name: 'stage gaps',
    everyMs,
    log: deps.log,
    runOnce: async () => void (await findStageGaps(deps)),
  })
}

async function silentStages(snapshot: Snapshot): Promise<Finding[]> {
  const { now } = snapshot
  const recent = new Date(now.getTime() - silentMinutes * 60_000)
  const [lately, today] = await Promise.all([
    readFunnel(snapshot, { from: recent, to: now }),
    readFunnel(snapshot, { from: new Date(now.getTime() - 24 * hourMs), to: now }),
  ])
  if (lately.every((stage) => stage.count === 0)) return []
  return lately
    .filter((stage, index) => stage.count === 0 && (today[index]?.count ?? 0) > 0)
    .map((stage) => ({
      kind: 'stage_silent' as const,
      stage: stageNumber(stage.name),
      details: { silent_minutes: silentMinutes },
    }))
}

async function lowClassification(snapshot: Snapshot): Promise<Finding[]> {
  const { now } = snapshot
  const hour = await readFunnel(snapshot, { from: new Date(now.getTime() - hourMs), to: now })
  const indexed = hour.find((stage) => stage.name === 'indexed')?.uniqueArticles ?? 0
  const classified = hour.find((stage) => stage.name === 'classified')?.uniqueArticles ?? 0
  if (indexed < leastIndexed || classified / indexed >= lowRatio) return []
  return [
    {
      kind: 'low_ratio',
      stage: stageNumber('classified'),
      details: { indexed, classified, ratio: Math.round((classified / indexed) * 100) / 100 },
    },
  ]
}

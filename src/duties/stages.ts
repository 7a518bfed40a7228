import type { DutyPlan } from '../duties.ts'
import { startStageReconciler } from '../flows/reconcile-stages.ts'
import { registerStageGauges } from '../flows/stage-gauges.ts'
import { startStageGaps } from '../flows/stage-gaps.ts'
import { startStageKeeper } from '../flows/stage-partitions.ts'
import { stageMetrics } from '../stages/metrics.ts'

/** What keeps the funnel honest: months that come and go, silence that is noticed, sums that are compared. */
export const stageDuties: DutyPlan[] = [
  {
    name: 'stage gauges',
    role: 'api',
    singleton: false,
    start: ({ sql, metrics }) => {
      const remove = registerStageGauges(metrics, sql)
      return { stop: async () => remove() }
    },
  },
  {
    name: 'stage keeper',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log, metrics, config }) =>
      startStageKeeper({
        sql,
        clock,
        log,
        metrics: stageMetrics(metrics),
        retentionMonths: config.pipelineRetentionMonths,
      }),
  },
  {
    name: 'stage gaps',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log, metrics }) =>
      startStageGaps({ sql, clock, log, metrics: stageMetrics(metrics) }),
  },
  {
    name: 'stage reconciler',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log }) => startStageReconciler({ sql, clock, log }),
  },
]

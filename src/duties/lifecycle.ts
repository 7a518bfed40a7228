import type { ApiContext } from '../api/context.ts'
import type { DutyPlan } from '../duties.ts'
import { startOutboxConsumer, startStreamConsumer } from '../flows/consume-source-events.ts'
import { createPlanner } from '../flows/planner.ts'
import { startReconciler } from '../flows/reconcile.ts'
import { startRelay } from '../flows/relay-source-events.ts'
import type { SourceChangedDeps } from '../flows/source-changed.ts'
import { lifecycleMetrics } from '../lifecycle/metrics.ts'
import { createStreamLink, type StreamLink } from '../lifecycle/stream-link.ts'

/** Source events in, jobs out: by the outbox, by Redis Streams where there is one, and by comparing everything. */
export const lifecycleDuties: DutyPlan[] = [
  {
    name: 'source-events',
    role: 'scheduler',
    singleton: false,
    start: async (context) => {
      const deps = depsOf(context)
      const link = linkOf(context)
      const stream = link === null ? null : startStreamConsumer(deps, link)
      const outbox = await startOutboxConsumer(deps, link)
      return {
        stop: async () => {
          await outbox.stop()
          await stream?.stop()
        },
      }
    },
  },
  {
    name: 'source-event-relay',
    role: 'relay',
    singleton: true,
    start: (context) => {
      const link = linkOf(context)
      if (link === null) return { stop: async () => {} }
      return startRelay({ sql: context.sql, clock: context.clock, log: context.log, link })
    },
  },
  {
    name: 'reconciler',
    role: 'scheduler',
    singleton: true,
    start: (context) =>
      startReconciler({
        sql: context.sql,
        clock: context.clock,
        log: context.log,
        planner: createPlanner(context.sql, context.clock),
        createMissing: context.config.autoManageNewSources,
        everyMinutes: context.config.reconcileMinutes,
      }),
  },
]

function depsOf(context: ApiContext): SourceChangedDeps {
  return {
    sql: context.sql,
    clock: context.clock,
    log: context.log,
    metrics: lifecycleMetrics(context.metrics),
    planner: createPlanner(context.sql, context.clock),
    consumer: context.instanceId,
  }
}

function linkOf(context: ApiContext): StreamLink | null {
  const { redisUrl, redisStreamMaxLength } = context.config
  if (redisUrl === null) return null
  return createStreamLink(
    {
      url: redisUrl,
      instanceId: context.instanceId,
      maxLength: redisStreamMaxLength,
      log: context.log,
    },
    context.log,
  )
}

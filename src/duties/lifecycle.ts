import type { ApiContext } from '../api/context.ts'
import type { DutyPlan } from '../duties.ts'
import { startAutoDisable } from '../flows/auto-disable.ts'
import { startOutboxConsumer, startStreamConsumer } from '../flows/consume-source-events.ts'
import { registerLifecycleGauges } from '../flows/lifecycle-gauges.ts'
import { createPlanner } from '../flows/planner.ts'
import { startEventPruner } from '../flows/prune-source-events.ts'
import { startReconciler } from '../flows/reconcile.ts'
import { startRelay } from '../flows/relay-source-events.ts'
import type { SourceChangedDeps } from '../flows/source-changed.ts'
import { privateUrlReason } from '../kernel/private-address.ts'
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
      const link = linkOf(context, 'consumer')
      const claimIdleMs = context.config.redisClaimIdleMs
      const stream = link === null ? null : startStreamConsumer(deps, link, { claimIdleMs })
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
      const link = linkOf(context, 'relay')
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
  {
    name: 'auto-disable',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log, config }) =>
      config.autoDisableDays === 0
        ? { stop: async () => {} }
        : startAutoDisable({ sql, clock, log, afterDays: config.autoDisableDays }),
  },
  {
    name: 'source-event-pruner',
    role: 'scheduler',
    singleton: true,
    start: (context) =>
      startEventPruner({
        sql: context.sql,
        clock: context.clock,
        log: context.log,
        retentionDays: context.config.sourceEventDays,
        keepUnrelayed: context.config.redisUrl !== null,
      }),
  },
  {
    name: 'lifecycle-gauges',
    role: 'api',
    singleton: false,
    start: (context) => {
      const unregister = registerLifecycleGauges(context.metrics, context.sql)
      return { stop: async () => unregister() }
    },
  },
]

function depsOf(context: ApiContext): SourceChangedDeps {
  return {
    sql: context.sql,
    clock: context.clock,
    log: context.log,
    metrics: lifecycleMetrics(context.metrics),
    planner: createPlanner(context.sql, context.clock),
    refuseUrl: (url) => (context.config.allowPrivateNetworks ? null : privateUrlReason(url)),
    consumer: context.instanceId,
  }
}

function linkOf(context: ApiContext, link: 'consumer' | 'relay'): StreamLink | null {
  const { redisUrl, redisStreamMaxLength } = context.config
  if (redisUrl === null) return null
  const { redisOpen } = lifecycleMetrics(context.metrics)
  redisOpen.set({ link }, 0)
  return createStreamLink({
    url: redisUrl,
    instanceId: context.instanceId,
    maxLength: redisStreamMaxLength,
    log: context.log,
    onState: (state) => redisOpen.set({ link }, state === 'closed' ? 0 : 1),
  })
}

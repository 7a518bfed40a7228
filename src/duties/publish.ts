import type { DutyPlan } from '../duties.ts'
import { publishStage } from '../flows/publish/publish-items.ts'
import { startReclassifying } from '../flows/publish/reclassify.ts'
import { createSenders } from '../flows/publish/senders.ts'
import { startDelivering } from '../flows/publish/start-delivering.ts'
import { startTidying } from '../flows/publish/tidy.ts'
import { startStage } from '../flows/refine/stage.ts'

/** Kept items are classified, routed and delivered. */
export const publishDuties: DutyPlan[] = [
  {
    name: 'publish',
    role: 'worker',
    singleton: false,
    start: ({ sql, clock, log, metrics }) =>
      startStage(publishStage(), { sql, clock, log, metrics }),
  },
  {
    name: 'deliveries',
    role: 'relay',
    singleton: false,
    start: ({ sql, clock, log, config, allowedHosts }) => {
      const { senders, close } = createSenders({
        redisUrl: config.redisUrl,
        allowPrivate: config.allowPrivateNetworks,
        allowedHosts,
        userAgent: config.userAgent,
        log,
      })
      return startDelivering({ sql, clock, log, senders, close })
    },
  },
  {
    name: 'reclassify',
    role: 'worker',
    singleton: false,
    start: ({ sql, clock, log }) => startReclassifying({ sql, clock, log }),
  },
  {
    name: 'tidy publishing',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log }) => startTidying({ sql, clock, log }),
  },
]

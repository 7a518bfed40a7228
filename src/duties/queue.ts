import { startPruning } from '../flows/prune-runs.ts'
import { startReaper } from '../flows/reap.ts'
import { startDailyRounds } from '../flows/rounds.ts'
import { startScheduler } from '../flows/schedule-due.ts'
import type { DutyPlan } from '../duties.ts'

/** What keeps the queue going; each runs in the one process that leads. */
export const queueDuties: DutyPlan[] = [
  {
    name: 'scheduler',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log, config }) =>
      startScheduler({ sql, clock, log, everyMs: config.schedulerPollMs }),
  },
  {
    name: 'reaper',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log }) => startReaper({ sql, clock, log }),
  },
  {
    name: 'prune runs',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log }) => startPruning({ sql, clock, log }),
  },
  {
    name: 'daily round',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log, config }) =>
      config.dailyRoundCron === null
        ? { stop: async () => {} }
        : startDailyRounds({ sql, clock, log, cron: config.dailyRoundCron }),
  },
]

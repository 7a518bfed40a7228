import { crawlDuties } from './duties/crawl.ts'
import { discoverDuties } from './duties/discover.ts'
import { lifecycleDuties } from './duties/lifecycle.ts'
import { notifyDuties } from './duties/notify.ts'
import { publishDuties } from './duties/publish.ts'
import { queueDuties } from './duties/queue.ts'
import { refineDuties } from './duties/refine.ts'
import { stageDuties } from './duties/stages.ts'
import type { ApiContext } from './api/context.ts'
import type { Duty, SingletonDuty } from './db/leader.ts'
import type { Role } from './settings.ts'

export interface DutyPlan {
  name: string
  role: Role
  /** One process at a time, elected; or every process with the role. */
  singleton: boolean
  start(context: ApiContext): Promise<Duty> | Duty
}

/** The background duties of the program; a process does those of its roles. */
const plans: DutyPlan[] = [
  ...lifecycleDuties,
  ...queueDuties,
  ...crawlDuties,
  ...refineDuties,
  ...publishDuties,
  ...stageDuties,
  ...discoverDuties,
  ...notifyDuties,
]

export const singletonDuties = plans.filter((plan) => plan.singleton).map((plan) => plan.name)

export interface Duties {
  /** Handed to the leader election. */
  singletons: SingletonDuty[]
  stop(): Promise<void>
}

export async function startDuties(context: ApiContext): Promise<Duties> {
  const mine = plans.filter((plan) => context.config.roles.includes(plan.role))
  const running: Duty[] = []
  for (const plan of mine) {
    if (!plan.singleton) running.push(await plan.start(context))
  }
  return {
    singletons: mine
      .filter((plan) => plan.singleton)
      .map((plan) => ({ name: plan.name, start: () => plan.start(context) })),
    stop: async () => {
      for (const duty of running.reverse()) await duty.stop()
    },
  }
}

import { createGuard } from '../crawl/fetch/guard.ts'
import { createGuardedFetch } from '../crawl/fetch/guarded-fetch.ts'
import type { Config } from '../config.ts'
import type { DutyPlan } from '../duties.ts'
import { startAlerting } from '../flows/notify/alert.ts'
import { startNotifying } from '../flows/notify/deliver.ts'
import type { Target } from '../notify/outbox.ts'

/** What a person should know is noticed, kept, and told where somebody reads it. */
export const notifyDuties: DutyPlan[] = [
  {
    name: 'alerts',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log, config }) => {
      const urls = urlsOf(config)
      const targets = (['slack', 'webhook'] as const).filter((name) => urls[name] !== undefined)
      return startAlerting({ sql, clock, log, targets })
    },
  },
  {
    name: 'notifications',
    role: 'scheduler',
    singleton: true,
    start: ({ sql, clock, log, config, allowedHosts }) =>
      startNotifying({
        sql,
        clock,
        log,
        fetch: createGuardedFetch(
          createGuard({ allowPrivate: config.allowPrivateNetworks, allowedHosts }),
        ),
        urls: urlsOf(config),
        secret: config.notifyWebhookSecret,
        userAgent: config.userAgent,
      }),
  },
]

function urlsOf(config: Config): Partial<Record<Target, string>> {
  return {
    ...(config.notifySlackUrl !== null && { slack: config.notifySlackUrl }),
    ...(config.notifyWebhookUrl !== null && { webhook: config.notifyWebhookUrl }),
  }
}

import type { Duty } from '../../db/leader.ts'
import { transaction, type Sql, type Tx } from '../../db/pool.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { startLoop } from '../../kernel/loop.ts'
import { pruneAlerts, settleAlerts } from '../../notify/alerts.ts'
import { alertMessage, roundMessage } from '../../notify/message.ts'
import { enqueueNotifications, type Target } from '../../notify/outbox.ts'
import { summarizeRound } from '../round-summary.ts'
import { findTrouble } from './findings.ts'

export interface AlertDeps {
  sql: Sql
  clock: Clock
  log: Log
  /** Where messages go; without any, alerts are only kept. */
  targets: readonly Target[]
}

/** One look a minute is also the rate limit: whatever changed between two looks is one message. */
const everyMs = 60_000
const keptMs = 90 * 86_400_000
/** Rounds that ended longer ago are no news, such as when notifications are switched on. */
const newsMs = 6 * 3_600_000
const roundsAtOnce = 20

export function startAlerting(deps: AlertDeps): Duty {
  return startLoop({
    name: 'alerts',
    everyMs,
    log: deps.log,
    runOnce: async () => {
      await raiseAlerts(deps)
      await tellRounds(deps)
      await pruneAlerts(deps.sql, new Date(deps.clock.now().getTime() - keptMs))
    },
  })
}

/** Alerts and the message about them commit together, so none is lost or told twice. */
export async function raiseAlerts({ sql, clock, log, targets }: AlertDeps): Promise<void> {
  const now = clock.now()
  const findings = await findTrouble(sql, now)
  const { opened, closed } = await transaction(sql, async (tx) => {
    const changed = await settleAlerts(tx, findings, now)
    const all = [...changed.opened, ...changed.closed]
    const about = `alerts:${all.map(({ id, closed_at }) => (closed_at === null ? id : `-${id}`)).join(',')}`
    if (all.length > 0)
      await enqueueNotifications(
        tx,
        targets,
        about.slice(0, 1000),
        alertMessage(changed.opened, changed.closed),
        now,
      )
    return changed
  })
  for (const alert of opened) log.warn({ kind: alert.kind, alert: alert.id }, alert.title)
  for (const alert of closed) log.info({ kind: alert.kind, alert: alert.id }, 'alert is over')
}

/** A summary of each round that ended, once. */
export async function tellRounds({ sql, clock, targets }: AlertDeps): Promise<void> {
  if (targets.length === 0) return
  const now = clock.now()
  const rounds = await untoldRounds(sql, targets, new Date(now.getTime() - newsMs))
  for (const round of rounds) {
    const message = roundMessage(round, await summarizeRound(sql, round.id))
    await transaction(sql, (tx: Tx) =>
      enqueueNotifications(tx, targets, `round:${round.id}`, message, now),
    )
  }
}

function untoldRounds(
  sql: Sql,
  targets: readonly Target[],
  since: Date,
): Promise<{ id: string; createdAt: Date; completedAt: Date }[]> {
  return sql`
    select r.id, r.created_at as "createdAt", r.completed_at as "completedAt" from rounds r
    where r.completed_at >= ${since} and r.sources > 0 and (
      select count(*) from notifications n
      where n.about = 'round:' || r.id and n.target = any (${[...targets]}::text[])) < ${targets.length}
    order by r.completed_at limit ${roundsAtOnce}`
}

import type { Db } from '../../db/pool.ts'
import type { Finding } from '../../notify/alerts.ts'
import { stageOfNumber } from '../../stages/kinds.ts'

/** From this many open circuits on it is no longer a single site's trouble. */
const manyBreakers = 5
/** Dead letters of one stage within an hour that a person should look at. */
const manyDeadLetters = 50
const namesShown = 20

/** Everything that is wrong now, from the tables of those who noticed it. */
export async function findTrouble(db: Db, now: Date): Promise<Finding[]> {
  const found = await Promise.all([
    stageGaps(db),
    channels(db),
    sources(db),
    breakers(db),
    deadLetters(db, now),
  ])
  return found.flat()
}

async function stageGaps(db: Db): Promise<Finding[]> {
  const rows = await db<
    { kind: 'stage_silent' | 'low_ratio'; stage: number; details: Record<string, unknown> }[]
  >`
    select kind, stage::int, details from stage_alerts where closed_at is null`
  return rows.map(({ kind, stage, details }) => ({
    kind,
    subject: stageOfNumber(stage),
    title:
      kind === 'stage_silent'
        ? `No article has been ${stageOfNumber(stage)} lately while other stages work`
        : 'Too few of the articles indexed in the last hour were classified',
    details,
  }))
}

async function channels(db: Db): Promise<Finding[]> {
  const rows = await db<
    { id: string; name: string; kind: 'disabled' | 'failing'; details: Record<string, unknown> }[]
  >`
    select c.id, c.name, a.kind, a.details
    from channel_alerts a join channels c on c.id = a.channel_id where a.closed_at is null`
  return rows.map(({ id, name, kind, details }) => ({
    kind: kind === 'disabled' ? 'channel_disabled' : 'channel_failing',
    subject: id,
    title:
      kind === 'disabled'
        ? `Channel "${name}" was switched off after failing too long`
        : `Channel "${name}" cannot be reached; deliveries wait`,
    details: { ...details, channel: name },
  }))
}

async function sources(db: Db): Promise<Finding[]> {
  const rows = await db<{ id: string; name: string; reason: string | null }[]>`
    select id, name, auto_disabled_reason as reason from sources where auto_disabled`
  return rows.map(({ id, name, reason }) => ({
    kind: 'source_disabled',
    subject: id,
    title: `Source "${name}" was switched off: ${reason ?? 'it kept failing'}`,
    details: { source: name, reason },
  }))
}

async function breakers(db: Db): Promise<Finding[]> {
  const [row] = await db<{ open: number; names: string[] | null }[]>`
    with open as (
      select b.kind, b.key, coalesce(s.name, b.key) as name
      from breakers b left join sources s on b.kind = 'source' and s.id::text = b.key
      where b.state <> 'closed')
    select count(*)::int as open, (array_agg(name order by name))[1:${namesShown}] as names from open`
  if (row === undefined || row.open < manyBreakers) return []
  return [
    {
      kind: 'breakers_open',
      subject: 'all',
      title: `Many circuits are open at once, among them ${(row.names ?? []).slice(0, 5).join(', ')}`,
      details: { open: row.open, names: row.names ?? [] },
    },
  ]
}

async function deadLetters(db: Db, now: Date): Promise<Finding[]> {
  const since = new Date(now.getTime() - 3_600_000)
  const rows = await db<{ stage: string; count: number }[]>`
    select stage, count(*)::int as count from dead_letters
    where status = 'pending' and created_at >= ${since}
    group by stage having count(*) >= ${manyDeadLetters}`
  return rows.map(({ stage, count }) => ({
    kind: 'dead_letters',
    subject: stage,
    title: `Dead letters of the stage ${stage} are growing`,
    details: { stage, in_the_last_hour: count },
  }))
}

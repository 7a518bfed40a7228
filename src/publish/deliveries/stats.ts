import type { Db } from '../../db/pool.ts'

export interface ChannelFigures {
  channelId: string | null
  channel: string
  delivered: number
  pending: number
  failed: number
  failedAttempts: number
  avgSeconds: number | null
}

/** What happened in a stretch of time, per channel; a route without a channel counts under its own name. */
export async function channelFigures(db: Db, from: Date, to: Date): Promise<ChannelFigures[]> {
  return db<ChannelFigures[]>`
    select d.channel_id as "channelId", coalesce(c.name, r.name) as channel,
      count(*) filter (where d.status = 'delivered')::int as delivered,
      count(*) filter (where d.status = 'pending')::int as pending,
      count(*) filter (where d.status = 'failed')::int as failed,
      coalesce(sum((select count(*) from delivery_failures f where f.delivery_id = d.id)), 0)::int as "failedAttempts",
      avg(extract(epoch from d.delivered_at - d.created_at)) filter (where d.status = 'delivered')::float8 as "avgSeconds"
    from deliveries d join routes r on r.id = d.route_id left join channels c on c.id = d.channel_id
    where d.created_at >= ${from} and d.created_at < ${to}
    group by 1, 2 order by 2`
}

export interface RouteFigures {
  routeId: string
  route: string
  created: number
  updated: number
  deleted: number
}

export async function routeFigures(db: Db, from: Date, to: Date): Promise<RouteFigures[]> {
  return db<RouteFigures[]>`
    select r.id as "routeId", r.name as route,
      count(*) filter (where d.change = 'created')::int as created,
      count(*) filter (where d.change = 'updated')::int as updated,
      count(*) filter (where d.change = 'deleted')::int as deleted
    from deliveries d join routes r on r.id = d.route_id
    where d.created_at >= ${from} and d.created_at < ${to}
    group by r.id order by r.name`
}

export interface Backlog {
  queued: number
  pending: number
  oldestPendingAt: Date | null
}

export async function backlog(db: Db): Promise<Backlog> {
  const [row] = await db<Backlog[]>`
    select (select count(*)::int from publish_queue) as queued,
      (select count(*)::int from deliveries where status = 'pending') as pending,
      (select min(created_at) from deliveries where status = 'pending') as "oldestPendingAt"`
  return row ?? { queued: 0, pending: 0, oldestPendingAt: null }
}

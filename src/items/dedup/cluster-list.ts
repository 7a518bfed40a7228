import type { Db } from '../../db/pool.ts'
import type { ItemKind } from '../types.ts'

export interface ClusterRow {
  id: string
  kind: ItemKind
  canonical_id: string
  pinned: boolean
  size: number
  title: string | null
  updated_at: Date
}

export interface ClusterMemberRow {
  item_id: string
  source_id: string
  source_name: string | null
  title: string
  url: string | null
  at: Date
  score: number
  evidence: Record<string, unknown>
  manual: boolean
  canonical: boolean
}

export async function listClusters(
  db: Db,
  filter: { kind?: ItemKind | undefined },
  page: { limit: number; offset: number },
): Promise<{ rows: ClusterRow[]; total: number }> {
  const where = filter.kind === undefined ? db`true` : db`c.kind = ${filter.kind}`
  const [rows, counted] = await Promise.all([
    db<ClusterRow[]>`
      select ${clusterColumns(db)} from clusters c where ${where}
      order by c.updated_at desc, c.id limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from clusters c where ${where}`,
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

export async function getCluster(db: Db, id: string): Promise<ClusterRow | null> {
  const [row] = await db<
    ClusterRow[]
  >`select ${clusterColumns(db)} from clusters c where c.id = ${id}`
  return row ?? null
}

export async function membersOf(db: Db, clusterId: string): Promise<ClusterMemberRow[]> {
  return db<ClusterMemberRow[]>`
    select m.item_id, coalesce(e.source_id, a.source_id) as source_id, s.name as source_name,
      coalesce(e.title, a.title) as title, coalesce(e.url, a.url) as url, coalesce(e.starts_at, a.sort_at) as at,
      m.score, m.evidence, m.manual, c.canonical_id = m.item_id as canonical
    from cluster_members m join clusters c on c.id = m.cluster_id
    left join calendar_events e on e.id = m.item_id left join articles a on a.id = m.item_id
    left join sources s on s.id = coalesce(e.source_id, a.source_id)
    where m.cluster_id = ${clusterId} order by canonical desc, m.added_at, m.item_id`
}

/** The kind of each known item. */
export async function kindsOf(db: Db, ids: readonly string[]): Promise<Map<string, ItemKind>> {
  const rows = await db<{ id: string; kind: ItemKind }[]>`
    select id, 'calendar_event' as kind from calendar_events where id = any(${[...ids]}::uuid[])
    union all select id, 'article' from articles where id = any(${[...ids]}::uuid[])`
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}

export async function pinCanonical(
  db: Db,
  clusterId: string,
  itemId: string,
  now: Date,
): Promise<boolean> {
  const [row] = await db`
    update clusters set canonical_id = ${itemId}, pinned = true, updated_at = ${now}
    where id = ${clusterId} and exists (select 1 from cluster_members where cluster_id = ${clusterId} and item_id = ${itemId})
    returning 1`
  return row !== undefined
}

function clusterColumns(db: Db) {
  return db`c.id, c.kind, c.canonical_id, c.pinned, c.size, c.updated_at,
    coalesce((select title from calendar_events where id = c.canonical_id), (select title from articles where id = c.canonical_id)) as title`
}

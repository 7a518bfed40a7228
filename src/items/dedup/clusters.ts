import { textArray } from '../../db/arrays.ts'
import type { Db, Tx } from '../../db/pool.ts'
import { newId } from '../../kernel/ids.ts'
import type { ItemKind } from '../types.ts'

export interface Match {
  a: string
  b: string
  score: number
  evidence: unknown
}

interface Member {
  itemId: string
  clusterId: string
}

/**
 * Puts matched items into clusters. Items that a person took apart never meet again, not even by way of a third.
 * Gives the clusters that changed.
 */
export async function joinClusters(
  tx: Tx,
  kind: ItemKind,
  matches: readonly Match[],
  now: Date,
  by: { manual: boolean } = { manual: false },
): Promise<string[]> {
  if (matches.length === 0) return []
  const items = [...new Set(matches.flatMap(({ a, b }) => [a, b]))]
  const members = await membersAround(tx, items)
  const separated = await separations(tx, [
    ...new Set([...items, ...members.map((member) => member.itemId)]),
  ])
  // A source tells a happening once: two of its items are two happenings, unless a person says otherwise.
  const sources = by.manual
    ? new Map<string, string>()
    : await sourcesOf(tx, kind, [...items, ...members.map((member) => member.itemId)])
  const groups = groupsOf(items, members)
  const added = new Map<string, Match>()
  const touched = new Set<Group>()
  for (const match of [...matches].sort((x, y) => y.score - x.score)) {
    const left = groups.get(match.a)
    const right = groups.get(match.b)
    if (left === undefined || right === undefined || left === right) continue
    if (conflict(left, right, separated, sources)) continue
    const [into, from] =
      (left.id !== null && right.id === null) || left.items.size >= right.items.size
        ? [left, right]
        : [right, left]
    for (const item of from.items) {
      into.items.add(item)
      groups.set(item, into)
      if (!added.has(item)) added.set(item, match)
    }
    if (!added.has(match.a)) added.set(match.a, match)
    if (!added.has(match.b)) added.set(match.b, match)
    if (from.id !== null) {
      if (into.id === null) into.id = from.id
      else into.absorbed.push(from.id)
    }
    touched.delete(from)
    touched.add(into)
  }
  return write(tx, kind, [...touched], added, now, by.manual)
}

interface Group {
  id: string | null
  items: Set<string>
  absorbed: string[]
}

function groupsOf(items: readonly string[], members: readonly Member[]): Map<string, Group> {
  const byCluster = new Map<string, Group>()
  const groups = new Map<string, Group>()
  for (const { itemId, clusterId } of members) {
    const group = byCluster.get(clusterId) ?? {
      id: clusterId,
      items: new Set<string>(),
      absorbed: [],
    }
    group.items.add(itemId)
    byCluster.set(clusterId, group)
    groups.set(itemId, group)
  }
  for (const item of items) {
    if (!groups.has(item)) groups.set(item, { id: null, items: new Set([item]), absorbed: [] })
  }
  return groups
}

function conflict(
  a: Group,
  b: Group,
  separated: ReadonlySet<string>,
  sources: ReadonlyMap<string, string>,
): boolean {
  const told = new Set([...a.items].map((item) => sources.get(item)))
  for (const item of b.items) {
    const source = sources.get(item)
    if (source !== undefined && told.has(source)) return true
  }
  if (separated.size === 0) return false
  for (const x of a.items) for (const y of b.items) if (separated.has(pairKey(x, y))) return true
  return false
}

async function write(
  tx: Tx,
  kind: ItemKind,
  groups: readonly Group[],
  added: ReadonlyMap<string, Match>,
  now: Date,
  manual: boolean,
): Promise<string[]> {
  if (groups.length === 0) return []
  const rows = groups.map((group) => {
    group.id ??= newId(now.getTime())
    return { id: group.id, first: [...group.items][0], size: group.items.size }
  })
  await tx`
    insert into clusters (id, kind, canonical_id, size, created_at, updated_at)
    select id, ${kind}, first, size, ${now}, ${now}
    from jsonb_to_recordset(${tx.json(rows)}) as c(id uuid, first uuid, size int)
    on conflict (id) do update set size = excluded.size, updated_at = excluded.updated_at`
  const members = groups.flatMap((group) =>
    [...group.items].map((item) => {
      const match = added.get(item)
      const other = match === undefined ? null : match.a === item ? match.b : match.a
      return {
        item_id: item,
        cluster_id: group.id,
        score: match?.score ?? 1,
        evidence: { ...(match?.evidence as object | undefined), with: other },
      }
    }),
  )
  await tx`
    insert into cluster_members as m (item_id, cluster_id, score, evidence, manual, added_at)
    select item_id, cluster_id, score, evidence, ${manual}, ${now}
    from jsonb_to_recordset(${tx.json(members)}) as n(item_id uuid, cluster_id uuid, score real, evidence jsonb)
    on conflict (item_id) do update set cluster_id = excluded.cluster_id where m.cluster_id <> excluded.cluster_id`
  await tx`delete from clusters where id = any(${groups.flatMap((group) => group.absorbed)}::uuid[])`
  const ids = rows.map((row) => row.id)
  await pickCanonical(tx, kind, ids)
  return ids
}

/** Shown is the fullest telling: own page, exact place, time, picture, text; of equals the one known longest. */
export async function pickCanonical(
  tx: Tx,
  kind: ItemKind,
  clusterIds: readonly string[],
): Promise<void> {
  const worth =
    kind === 'calendar_event'
      ? tx`(select (e.status in ('active', 'rescheduled'))::int * 10 + (e.event_time <> 'TBD')::int * 3
            + (e.sight >= 2)::int * 2 + (e.image_url is not null)::int + (e.geo_precision in ('exact', 'address'))::int
            + least(length(e.description), 400) / 100.0 - extract(epoch from e.first_seen_at) / 1e12
          from calendar_events e where e.id = m.item_id)`
      : tx`(select (a.status = 'active')::int * 100 + a.quality_score / 10.0 - extract(epoch from a.sort_at) / 1e8 from articles a where a.id = m.item_id)`
  await tx`
    update clusters c set canonical_id = best.item_id
    from (select distinct on (m.cluster_id) m.cluster_id, m.item_id from cluster_members m
      where m.cluster_id = any(${[...clusterIds]}::uuid[]) order by m.cluster_id, ${worth} desc nulls last, m.item_id) best
    where c.id = best.cluster_id and not c.pinned and c.canonical_id <> best.item_id`
}

/** Takes one item out of its cluster for good: it never meets the others again. */
export async function separate(
  tx: Tx,
  clusterId: string,
  itemId: string,
  by: string | null,
  now: Date,
): Promise<boolean> {
  const others = await tx<{ id: string }[]>`
    select item_id as id from cluster_members where cluster_id = ${clusterId} for update`
  if (!others.some(({ id }) => id === itemId)) return false
  const rest = others.map(({ id }) => id).filter((id) => id !== itemId)
  await tx`
    insert into cluster_separations (item_a, item_b, by, created_at)
    select least(${itemId}::uuid, o), greatest(${itemId}::uuid, o), ${by}, ${now} from unnest(${rest}::uuid[]) as o
    on conflict do nothing`
  await tx`delete from cluster_members where item_id = ${itemId}`
  if (rest.length < 2) {
    await tx`delete from clusters where id = ${clusterId}`
    return true
  }
  const [kept] = await tx<{ kind: ItemKind }[]>`
    update clusters set size = ${rest.length}, updated_at = ${now},
      pinned = pinned and canonical_id <> ${itemId}
    where id = ${clusterId} returning kind`
  if (kept !== undefined) await pickCanonical(tx, kept.kind, [clusterId])
  return true
}

/** Together again by a person's word: older separations between them are forgotten. */
export async function forgetSeparations(tx: Tx, ids: readonly string[]): Promise<void> {
  const around = (await membersAround(tx, ids)).map((member) => member.itemId)
  const all = [...new Set([...ids, ...around])]
  await tx`delete from cluster_separations where item_a = any(${all}::uuid[]) and item_b = any(${all}::uuid[])`
}

/** Items that no longer match anything they were put together with by machine leave the cluster. */
export async function leaveClusters(tx: Tx, itemIds: readonly string[], now: Date): Promise<void> {
  if (itemIds.length === 0) return
  const left = await tx<{ clusterId: string }[]>`
    delete from cluster_members where item_id = any(${textArray(itemIds)}::uuid[]) and not manual
    returning cluster_id as "clusterId"`
  const ids = [...new Set(left.map((row) => row.clusterId))]
  await tx`
    delete from clusters c where c.id = any(${ids}::uuid[])
      and (select count(*) from cluster_members m where m.cluster_id = c.id) < 2`
  const kept = await tx<{ id: string; kind: ItemKind }[]>`
    update clusters c set updated_at = ${now}, size = (select count(*) from cluster_members m where m.cluster_id = c.id)
    where c.id = any(${ids}::uuid[]) returning id, kind`
  for (const { id, kind } of kept) await pickCanonical(tx, kind, [id])
}

export function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

async function membersAround(db: Db, items: readonly string[]): Promise<Member[]> {
  return db<Member[]>`
    select item_id as "itemId", cluster_id as "clusterId" from cluster_members
    where cluster_id in (select cluster_id from cluster_members where item_id = any(${textArray(items)}::uuid[]))`
}

async function sourcesOf(
  db: Db,
  kind: ItemKind,
  items: readonly string[],
): Promise<Map<string, string>> {
  const table = kind === 'article' ? db`articles` : db`calendar_events`
  const rows = await db<{ id: string; source: string }[]>`
    select id, source_id as source from ${table} where id = any(${textArray(items)}::uuid[])`
  return new Map(rows.map(({ id, source }) => [id, source]))
}

async function separations(db: Db, items: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ a: string; b: string }[]>`
    select item_a as a, item_b as b from cluster_separations
    where item_a = any(${textArray(items)}::uuid[]) and item_b = any(${textArray(items)}::uuid[])`
  return new Set(rows.map(({ a, b }) => pairKey(a, b)))
}

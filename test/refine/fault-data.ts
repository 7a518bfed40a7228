import type { Sql } from '../../src/db/pool.ts'
import type { RawItem } from '../../src/extract/types.ts'
import { addSource } from './harness.ts'
import { addItems, rawArticle, rawEvent } from './raw.ts'

const names = 'Amber Zilver Linde Kobalt Spiegel Anker Molen Haven Duin Koper Glas Vuur'.split(' ')

/**
 * What three sources tell: things of their own, things they share, things told twice, and things only helpers can
 * finish.
 */
export function toldItems(source: number): RawItem[] {
  const site = `https://bron-${source}.example`
  const event = (title: string, start: string, more: Partial<RawItem> = {}): RawItem =>
    rawEvent(title, start, { url: `${site}/${encodeURIComponent(title)}`, ...more })
  const own = names.map((name, n) =>
    event(`${name}fluit bij de ${names[(n + source + 1) % 12]}toren ${source}`, day(n)),
  )
  const shared = names.slice(0, 4).map((name, n) => event(`Strijkkwartet ${name}`, day(n + 3)))
  return [
    ...own,
    ...(source < 3 ? shared : []),
    // The second telling of the same, and one that says little.
    ...own.slice(0, 3),
    event(`${names[source]}middag`, day(2), { description: 'Kom.' }),
    event(`Oudejaarsbal ${names[source + 5]}`, 'zie de poster in het café'),
    event(`Een raadsel ${names[source + 8]}`, 'zie de poster in het café'),
    rawArticle(`Nieuws van ${source}`, words(source + 20), `${site}/nieuws`),
    ...(source < 3
      ? [rawArticle('Brug blijft dicht', `${words(7)} de brug blijft dicht`, `${site}/brug`)]
      : []),
  ]
}

export async function addSources(sql: Sql): Promise<string[]> {
  const ids: string[] = []
  for (const n of [1, 2, 3])
    ids.push(await addSource(sql, { name: `Bron ${n}`, url: `https://bron-${n}.example/` }))
  return ids
}

/** Part `part` of `parts` of what every source tells. */
export async function addTold(
  sql: Sql,
  sources: readonly string[],
  part = 0,
  parts = 1,
): Promise<void> {
  for (const [index, id] of sources.entries()) {
    const items = toldItems(index + 1)
    const size = Math.ceil(items.length / parts)
    await addItems(sql, id, items.slice(part * size, (part + 1) * size))
  }
}

export type Outcome = Awaited<ReturnType<typeof outcomeOf>>

/** Everything refinement left behind, without ids and times of its own making. */
export async function outcomeOf(sql: Sql) {
  const own = ['id', 'source_id', 'raw_item_id', 'first_seen_at', 'updated_at', 'sight_at']
  const prints = ['event_fingerprint', 'fingerprint', 'sort_at']
  const events = await sql<{ source: string; item: Record<string, unknown> }[]>`
    select s.name as source, to_jsonb(e) - ${[...own, ...prints]}::text[] as item
    from calendar_events e join sources s on s.id = e.source_id order by s.name, e.title, e.starts_at`
  const articles = await sql<{ source: string; item: Record<string, unknown> }[]>`
    select s.name as source, to_jsonb(a) - ${[...own, ...prints]}::text[] as item
    from articles a join sources s on s.id = a.source_id order by s.name, a.title`
  const clusters = await sql<{ members: string[] }[]>`
    select array_agg(s.name || ': ' || coalesce(e.title, a.title) order by s.name) as members
    from cluster_members m left join calendar_events e on e.id = m.item_id left join articles a on a.id = m.item_id
    join sources s on s.id = coalesce(e.source_id, a.source_id) group by m.cluster_id order by 1`
  const changes = await sql<{ source: string; title: string; change: string; times: number }[]>`
    select s.name as source, coalesce(e.title, a.title) as title, c.change, count(*)::int as times
    from item_changes c left join calendar_events e on e.id = c.item_id left join articles a on a.id = c.item_id
    join sources s on s.id = c.source_id group by 1, 2, 3 order by 1, 2, 3`
  const raw = await sql<{ source: string; title: string; status: string; outcomes: string[] }[]>`
    select s.name as source, r.item->>'title' as title, r.status,
      array_agg(coalesce(t.outcome, d.error_type) order by r.id) as outcomes
    from raw_items r join sources s on s.id = r.source_id left join staged_items t on t.raw_item_id = r.id
    left join dead_letters d on d.subject = r.id::text and d.status = 'pending'
    group by 1, 2, 3 order by 1, 2, 3`
  const [sums] = await sql<{ indexed: number; queued: number; followUps: number }[]>`
    select (select count(*) from stage_events where stage = 2)::int as indexed,
      (select count(*) from dedup_queue)::int as queued, (select count(*) from follow_ups)::int as "followUps"`
  return { events, articles, clusters, changes, raw, sums }
}

function words(seed: number): string {
  return Array.from({ length: 60 }, (_, n) => `woord${(n * seed) % 61}`).join(' ')
}

function day(n: number): string {
  return `2026-12-${String(5 + n).padStart(2, '0')}T20:00`
}

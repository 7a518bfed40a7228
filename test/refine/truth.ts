import type { Truth, TruthItem } from '../../demo/index.ts'
import type { Sql } from '../../src/db/pool.ts'

type Fields = Record<string, unknown>

/** Where the kept events of a source differ from what its site tells, in words; nothing when they are the same. */
export async function wrongEvents(
  sql: Sql,
  sourceId: string,
  { items, pages }: Truth,
): Promise<string[]> {
  // What has no address of its own stands in a calendar file, and is found there.
  const file = pages.find(({ kind }) => kind === 'feed')?.url
  const kept = await sql<(Fields & { title: string; start: string })[]>`
    select title, event_date::text || case event_time when 'TBD' then '' else 'T' || event_time end as start,
      case when all_day then (ends_at at time zone timezone - interval '1 day')::date::text
        else to_char(ends_at at time zone timezone, 'YYYY-MM-DD"T"HH24:MI') end as end, url, language, description,
      all_day as "allDay", timezone, venue_name as name, address, city, organizer, category,
      case when status in ('cancelled', 'postponed') then status else 'scheduled' end as status
    from calendar_events where source_id = ${sourceId} and status <> 'vanished'`
  const wanted = items
    .filter((item) => item.kind === 'calendar_event')
    .map(({ title, start, location, status, ...item }) => ({
      title,
      start,
      url: item.url ?? file,
      language: item.language,
      description: item.description,
      end: item.end,
      allDay: item.allDay,
      timezone: item.timezone,
      organizer: item.organizer,
      category: item.category,
      name: location?.name,
      address: location?.address,
      city: location?.city,
      status: status ?? 'scheduled',
    }))
  return differences(kept, wanted, (row) => `${String(row['title'])} ${String(row['start'])}`)
}

/** Where the clusters differ from what the sites tell to be the same, in words. */
export async function wrongClusters(
  sql: Sql,
  told: readonly { sourceId: string; truth: Truth }[],
): Promise<string[]> {
  const kept = await sql<{ sourceId: string; name: string; cluster: string }[]>`
    select coalesce(e.source_id, a.source_id) as "sourceId", m.cluster_id as cluster, coalesce(a.url,
      e.title || ' ' || e.event_date || case e.event_time when 'TBD' then '' else 'T' || e.event_time end) as name
    from cluster_members m left join calendar_events e on e.id = m.item_id left join articles a on a.id = m.item_id
    where coalesce(e.status, a.status) <> 'vanished'`
  const clusterOf = new Map(kept.map((row) => [`${row.sourceId} ${row.name}`, row.cluster]))
  const items = told.flatMap(({ sourceId, truth }) =>
    truth.items.map((item) => ({
      id: item.id,
      sameAs: item.sameAs,
      cluster:
        clusterOf.get(
          `${sourceId} ${item.kind === 'article' ? item.url : `${item.title} ${item.start}`}`,
        ) ?? item.id,
    })),
  )
  const groups = together(items)
  return items.flatMap((one, index) =>
    items.slice(index + 1).flatMap((other) => {
      const isOne = groups.get(one.id) === groups.get(other.id)
      if (isOne === (one.cluster === other.cluster)) return []
      return [`${one.id} and ${other.id} are ${isOne ? '' : 'not '}the same`]
    }),
  )
}

/** The same as the same is the same. */
function together(items: readonly { id: string; sameAs: string[] }[]): Map<string, string> {
  const groups = new Map(items.map(({ id }) => [id, id]))
  for (const { id, sameAs } of items)
    for (const other of sameAs) {
      const [from, to] = [groups.get(other), groups.get(id)]
      if (from === undefined || to === undefined) continue
      for (const [member, group] of groups) if (group === from) groups.set(member, to)
    }
  return groups
}

export async function wrongArticles(
  sql: Sql,
  sourceId: string,
  items: readonly TruthItem[],
): Promise<string[]> {
  const kept = await sql<(Fields & { text: string; url: string })[]>`
    select url, title, language, description, published_at as "publishedAt", author, section, text
    from articles where source_id = ${sourceId} and status <> 'vanished'`
  const articles = items.filter((item) => item.kind === 'article')
  const wanted = articles.map((item) => ({
    url: item.url,
    title: item.title,
    language: item.language,
    description: item.description,
    publishedAt: item.publishedAt === null ? null : new Date(item.publishedAt),
    author: item.author,
    section: item.section,
  }))
  const textOf = new Map(kept.map((row) => [row.url, row.text]))
  const texts = articles.flatMap((item) => {
    const text = textOf.get(item.url ?? '') ?? ''
    return [
      ...item.paragraphs.filter((part) => !text.includes(part)).map((part) => `misses "${part}"`),
      ...item.boilerplate.filter((part) => text.includes(part)).map((part) => `has "${part}"`),
    ].map((wrong) => `${item.title} ${wrong}`)
  })
  return [...differences(kept, wanted, (row) => String(row['url'])), ...texts]
}

/** What a site does not say (null) is not there. */
function differences(
  kept: readonly Fields[],
  wanted: readonly Fields[],
  nameOf: (row: Fields) => string,
): string[] {
  const rows = new Map(kept.map((row) => [nameOf(row), row]))
  const names = new Set(wanted.map(nameOf))
  const extra = [...rows.keys()].filter((name) => !names.has(name)).map((name) => `extra: ${name}`)
  const twice = kept.length === rows.size ? [] : [`${kept.length - rows.size} kept twice`]
  const wrong = wanted.flatMap((item) => {
    const row = rows.get(nameOf(item))
    if (row === undefined) return [`missing: ${nameOf(item)}`]
    return Object.entries(item).flatMap(([field, value]) =>
      JSON.stringify(row[field]) === JSON.stringify(value)
        ? []
        : [
            `${nameOf(item)}: ${field} is ${JSON.stringify(row[field])}, not ${JSON.stringify(value)}`,
          ],
    )
  })
  return [...extra, ...twice, ...wrong]
}

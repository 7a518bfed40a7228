import type { TruthItem } from '../../demo/index.ts'
import type { Sql } from '../../src/db/pool.ts'

type Fields = Record<string, unknown>

/** Where the kept events of a source differ from what its site tells, in words; nothing when they are the same. */
export async function wrongEvents(
  sql: Sql,
  sourceId: string,
  items: readonly TruthItem[],
): Promise<string[]> {
  const kept = await sql<(Fields & { title: string; start: string })[]>`
    select title, event_date::text || case event_time when 'TBD' then '' else 'T' || event_time end as start,
      case when all_day then (ends_at at time zone timezone - interval '1 day')::date::text
        else to_char(ends_at at time zone timezone, 'YYYY-MM-DD"T"HH24:MI') end as end, url, language, description,
      all_day as "allDay", timezone, venue_name as name, address, city, organizer,
      case when status = 'cancelled' then status else 'scheduled' end as status
    from calendar_events where source_id = ${sourceId} and status <> 'vanished'`
  const wanted = items
    .filter((item) => item.kind === 'calendar_event')
    .map(({ title, start, location, status, ...item }) => ({
      title,
      start,
      url: item.url,
      language: item.language,
      description: item.description,
      end: item.end,
      allDay: item.allDay,
      timezone: item.timezone,
      organizer: item.organizer,
      name: location?.name,
      address: location?.address,
      city: location?.city,
      status: status === null ? null : status === 'cancelled' ? 'cancelled' : 'scheduled',
    }))
  return differences(kept, wanted, (row) => `${String(row['title'])} ${String(row['start'])}`)
}

/** Rules cannot know every category; the share they get right. */
export async function rightCategories(
  sql: Sql,
  told: readonly { sourceId: string; items: readonly TruthItem[] }[],
): Promise<number> {
  const rows = await sql<{ sourceId: string; title: string; category: string }[]>`
    select source_id as "sourceId", title, category from calendar_events where status <> 'vanished'`
  const kept = new Map(rows.map((row) => [`${row.sourceId} ${row.title}`, row.category]))
  const events = told.flatMap(({ sourceId, items }) =>
    items
      .filter((item) => item.kind === 'calendar_event' && item.category !== null)
      .map((item) => kept.get(`${sourceId} ${item.title}`) === item.category),
  )
  return events.filter(Boolean).length / events.length
}

export async function wrongArticles(
  sql: Sql,
  sourceId: string,
  items: readonly TruthItem[],
): Promise<string[]> {
  const kept = await sql<(Fields & { text: string; url: string })[]>`
    select url, title, language, description, published_at as "publishedAt", author, lower(section) as section, text
    from articles where source_id = ${sourceId}`
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

/** What a site does not say (null) cannot be wrong. */
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
      value === null || value === undefined || JSON.stringify(row[field]) === JSON.stringify(value)
        ? []
        : [
            `${nameOf(item)}: ${field} is ${JSON.stringify(row[field])}, not ${JSON.stringify(value)}`,
          ],
    )
  })
  return [...extra, ...twice, ...wrong]
}

import type { Db } from '../db/pool.ts'
import type { Source } from './source.ts'

export interface SourceFilter {
  search?: string | undefined
  enabled?: boolean | undefined
  kind?: string | undefined
  priority?: string | undefined
  tag?: string | undefined
  group_id?: string | undefined
  auto_disabled?: boolean | undefined
  host?: string | undefined
}

export const sourceSorts = [
  'name',
  '-name',
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
  'priority',
  '-priority',
] as const
export type SourceSort = (typeof sourceSorts)[number]

export interface SourcePage {
  sources: Source[]
  total: number
}

/** One page of sources that fit the filter. */
export async function listSources(
  db: Db,
  filter: SourceFilter,
  page: { sort: SourceSort; limit: number; offset: number },
): Promise<SourcePage> {
  const where = condition(db, filter)
  const rows = await db<Source[]>`
    select s.* from sources s left join source_groups g on g.id = s.group_id
    where ${where} order by ${order(db, page.sort)} limit ${page.limit} offset ${page.offset}`
  const [count] = await db<{ total: number }[]>`
    select count(*)::int as total from sources s left join source_groups g on g.id = s.group_id where ${where}`
  return { sources: rows, total: count?.total ?? 0 }
}

/** Every source that fits, a page at a time, so that memory stays flat. */
export async function* eachSource(
  db: Db,
  filter: SourceFilter,
  pageSize = 1000,
): AsyncGenerator<Source[]> {
  let after: string | null = null
  for (;;) {
    const rows: Source[] = await db<Source[]>`
      select s.* from sources s left join source_groups g on g.id = s.group_id
      where ${condition(db, filter)} and (${after}::uuid is null or s.id > ${after}::uuid)
      order by s.id limit ${pageSize}`
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.id ?? null
    if (rows.length < pageSize) return
  }
}

function condition(db: Db, filter: SourceFilter) {
  const pattern =
    filter.search === undefined ? null : `%${filter.search.replaceAll(/[\\%_]/g, '\\$&')}%`
  return db`
    (${pattern}::text is null or s.name ilike ${pattern} or s.url ilike ${pattern})
    and (${filter.enabled ?? null}::boolean is null or s.enabled = ${filter.enabled ?? null})
    and (${filter.kind ?? null}::text is null or s.kind = ${filter.kind ?? null})
    and (${filter.priority ?? null}::text is null
      or coalesce(s.priority, g.settings->>'priority', 'normal') = ${filter.priority ?? null})
    and (${filter.tag ?? null}::text is null or s.tags @> array[${filter.tag ?? null}::text])
    and (${filter.group_id ?? null}::uuid is null or s.group_id = ${filter.group_id ?? null})
    and (${filter.auto_disabled ?? null}::boolean is null or s.auto_disabled = ${filter.auto_disabled ?? null})
    and (${filter.host ?? null}::text is null or s.host_key = ${filter.host ?? null})`
}

function order(db: Db, sort: SourceSort) {
  const rank = db`array_position(array['low','normal','high','critical'], coalesce(s.priority, g.settings->>'priority', 'normal'))`
  const orders = {
    name: db`lower(s.name), s.id`,
    '-name': db`lower(s.name) desc, s.id`,
    created_at: db`s.created_at, s.id`,
    '-created_at': db`s.created_at desc, s.id`,
    updated_at: db`s.updated_at, s.id`,
    '-updated_at': db`s.updated_at desc, s.id`,
    priority: db`${rank}, lower(s.name), s.id`,
    '-priority': db`${rank} desc, lower(s.name), s.id`,
  }
  return orders[sort]
}

import type { Db } from '../db/pool.ts'
import type { Source } from './source.ts'

export interface SourceFilter {
  id?: string | undefined
  search?: string | undefined
  enabled?: boolean | undefined
  kind?: string | undefined
  priority?: string | undefined
  tag?: string | undefined
  group_id?: string | undefined
  auto_disabled?: boolean | undefined
  host?: string | undefined
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
      where ${matchingSources(db, filter)} and (${after}::uuid is null or s.id > ${after}::uuid)
      order by s.id limit ${pageSize}`
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.id ?? null
    if (rows.length < pageSize) return
  }
}

/** Holds for sources `s`, joined with their groups `g`, that fit the filter. */
export function matchingSources(db: Db, filter: SourceFilter) {
  const pattern =
    filter.search === undefined ? null : `%${filter.search.replaceAll(/[\\%_]/g, '\\$&')}%`
  return db`
    (${filter.id ?? null}::uuid is null or s.id = ${filter.id ?? null})
    and (${pattern}::text is null or s.name ilike ${pattern} or s.url ilike ${pattern})
    and (${filter.enabled ?? null}::boolean is null or s.enabled = ${filter.enabled ?? null})
    and (${filter.kind ?? null}::text is null or s.kind = ${filter.kind ?? null})
    and (${filter.priority ?? null}::text is null
      or coalesce(s.priority, g.settings->>'priority', 'normal') = ${filter.priority ?? null})
    and (${filter.tag ?? null}::text is null or s.tags @> array[${filter.tag ?? null}::text])
    and (${filter.group_id ?? null}::uuid is null or s.group_id = ${filter.group_id ?? null})
    and (${filter.auto_disabled ?? null}::boolean is null or s.auto_disabled = ${filter.auto_disabled ?? null})
    and (${filter.host ?? null}::text is null or s.host_key = ${filter.host ?? null})`
}

import type { Db } from '../../db/pool.ts'
import type { SourceContext } from '../../normalize/types.ts'
import { effectiveConfig } from '../../sources/effective.ts'
import type { GroupSettings } from '../../sources/fields.ts'
import type { Source } from '../../sources/source.ts'

/** What normalization has to know of each source, inherited settings included. */
export async function loadSourceContexts(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, SourceContext>> {
  const rows = await db<(Source & { group_settings: GroupSettings | null })[]>`
    select s.*, g.settings as group_settings from sources s left join source_groups g on g.id = s.group_id
    where s.id = any(${[...new Set(ids)]}::uuid[])`
  return new Map(rows.map((row) => [row.id, contextOf(row, row.group_settings)]))
}

/** One-off crawls have no source: their items are read with the defaults. */
export function nobodysContext(id: string, pageUrl: string | null): SourceContext {
  return {
    id,
    name: pageUrl === null ? 'one-off crawl' : new URL(pageUrl).host,
    url: pageUrl ?? '',
    timezone: 'Europe/Amsterdam',
    locale: 'nl-NL',
    defaultLat: null,
    defaultLng: null,
  }
}

function contextOf(source: Source, group: GroupSettings | null): SourceContext {
  const config = effectiveConfig(source, group)
  return {
    id: source.id,
    name: source.name,
    url: source.url,
    timezone: String(config.timezone.value),
    locale: String(config.locale.value),
    defaultLat: config.default_lat.value as number | null,
    defaultLng: config.default_lng.value as number | null,
  }
}

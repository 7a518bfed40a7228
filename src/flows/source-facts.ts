import type { Db } from '../db/pool.ts'
import { effectiveConfig } from '../sources/effective.ts'
import type { GroupSettings } from '../sources/fields.ts'
import type { Source } from '../sources/source.ts'

/** A source with the settings that decide its schedule, inherited ones included. */
export interface SourceWithConfig {
  id: string
  name: string
  url: string
  hostKey: string
  enabled: boolean
  priority: string
  rateLimit: number | null
  maxDepth: number | null
  crawlWindowStart: number | null
  crawlWindowEnd: number | null
  crawlWindowDays: number[] | null
}

export async function loadSourceFacts(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, SourceWithConfig>> {
  const rows = await db<(Source & { group_settings: GroupSettings | null })[]>`
    select s.*, g.settings as group_settings from sources s left join source_groups g on g.id = s.group_id
    where s.id = any(${[...ids]}::uuid[])`
  return new Map(rows.map((row) => [row.id, withConfig(row, row.group_settings)]))
}

export function withConfig(source: Source, group: GroupSettings | null): SourceWithConfig {
  const config = effectiveConfig(source, group)
  return {
    id: source.id,
    name: source.name,
    url: source.url,
    hostKey: source.host_key,
    enabled: source.enabled,
    priority: config.priority.value as string,
    rateLimit: config.rate_limit.value as number | null,
    maxDepth: config.max_depth.value as number | null,
    crawlWindowStart: config.crawl_window_start.value as number | null,
    crawlWindowEnd: config.crawl_window_end.value as number | null,
    crawlWindowDays: config.crawl_window_days.value as number[] | null,
  }
}

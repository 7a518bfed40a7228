import type { Db, Tx } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import { hostKey, normalizeUrl, urlHash } from '../kernel/url.ts'
import type { SourceInput } from './fields.ts'
import type { Source } from './source.ts'

/** The part of a URL that identifies a source, or null when it is no address at all. */
export function sourceIdentity(url: string): { url_key: string; host_key: string } | null {
  const normalized = normalizeUrl(url)
  if (normalized === null) return null
  return { url_key: urlHash(normalized), host_key: hostKey(normalized) ?? '' }
}

export async function findSource(db: Db, id: string): Promise<Source | null> {
  const [row] = await db<Source[]>`select * from sources where id = ${id}`
  return row ?? null
}

export async function findSources(db: Db, ids: readonly string[]): Promise<Source[]> {
  return db<Source[]>`select * from sources where id = any(${[...ids]}::uuid[])`
}

/** Held until the transaction ends, in id order, so that two bulk changes cannot block each other for good. */
export async function lockSources(tx: Tx, ids: readonly string[]): Promise<Source[]> {
  return tx<
    Source[]
  >`select * from sources where id = any(${[...ids]}::uuid[]) order by id for update`
}

export interface NewSource extends SourceInput {
  id?: string
}

/** Inserts many at once; the ones whose address is already known are not in the answer. */
export async function insertSources(
  tx: Tx,
  sources: readonly NewSource[],
  firstEventAt: Date | null,
): Promise<Source[]> {
  const rows = sources.map((source) => ({
    ...source,
    id: source.id ?? newId(),
    ...identityOf(source.url),
    last_event_at: firstEventAt,
  }))
  return tx<Source[]>`
    insert into sources (id, name, url, url_key, host_key, kind, enabled, group_id, priority, rate_limit, max_depth,
      timezone, locale, default_lat, default_lng, crawl_window_start, crawl_window_end, crawl_window_days, render_mode,
      proxy, deep_scrape_enabled, tier, selectors, preferred_method, detected_cms, feed_urls, include_patterns,
      exclude_patterns, tags, notes, last_event_at)
    select id, name, url, url_key, host_key, kind, enabled, group_id, priority, rate_limit, max_depth,
      timezone, locale, default_lat, default_lng, crawl_window_start, crawl_window_end, crawl_window_days, render_mode,
      proxy, deep_scrape_enabled, tier, selectors, preferred_method, detected_cms, feed_urls, include_patterns,
      exclude_patterns, tags, notes, last_event_at
    from jsonb_populate_recordset(null::sources, ${tx.json(rows as never)})
    on conflict do nothing
    returning *`
}

/** Writes whole rows back; the caller holds their locks. */
export async function updateSources(
  tx: Tx,
  sources: readonly Source[],
  now: Date,
): Promise<Source[]> {
  const rows = sources.map((source) => ({ ...source, ...identityOf(source.url) }))
  return tx<Source[]>`
    update sources s set
      name = n.name, url = n.url, url_key = n.url_key, host_key = n.host_key, kind = n.kind, enabled = n.enabled,
      group_id = n.group_id, priority = n.priority, rate_limit = n.rate_limit, max_depth = n.max_depth,
      timezone = n.timezone, locale = n.locale, default_lat = n.default_lat, default_lng = n.default_lng,
      crawl_window_start = n.crawl_window_start, crawl_window_end = n.crawl_window_end,
      crawl_window_days = n.crawl_window_days, render_mode = n.render_mode, proxy = n.proxy,
      deep_scrape_enabled = n.deep_scrape_enabled, tier = n.tier, selectors = n.selectors,
      preferred_method = n.preferred_method, detected_cms = n.detected_cms, feed_urls = n.feed_urls,
      include_patterns = n.include_patterns, exclude_patterns = n.exclude_patterns, tags = n.tags, notes = n.notes,
      disabled_reason = n.disabled_reason, auto_disabled = n.auto_disabled,
      auto_disabled_reason = n.auto_disabled_reason, version = s.version + 1, updated_at = ${now}
    from jsonb_populate_recordset(null::sources, ${tx.json(rows as never)}) n
    where s.id = n.id
    returning s.*`
}

export async function deleteSources(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`delete from sources where id = any(${[...ids]}::uuid[])`
}

/** Which of these addresses already belong to a source. */
export async function findByAddress(
  db: Db,
  urlKeys: readonly string[],
): Promise<{ id: string; url_key: string; name: string }[]> {
  return db`select id, url_key, name from sources where url_key = any(${[...urlKeys]}::text[])`
}

function identityOf(url: string): { url_key: string; host_key: string } {
  const identity = sourceIdentity(url)
  if (identity === null) throw new Error(`not an address: ${url}`)
  return identity
}

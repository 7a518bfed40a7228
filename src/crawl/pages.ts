import type { Db, Tx } from '../db/pool.ts'

export interface NewPage {
  frontier_id: string
  url: string
  final_url: string
  status: number | null
  tier: string
  outcome: 'fetched' | 'unchanged' | 'failed'
  reason: string | null
  content_type: string | null
  charset: string | null
  body_bytes: number | null
  /** Hex. */
  content_hash: string | null
  archived: boolean
  /** No tier got the page: what was read is the archived copy of less than a day ago. */
  stale: boolean
  /** The response headers worth keeping. */
  headers: Record<string, string> | null
  title: string | null
  links_found: number
  items_found: number
  strategy: string | null
  redirects: unknown
  fetch_ms: number
  parse_ms: number | null
  fetched_at: string
}

/** One row per fetch; ids come back in the order of the input. */
export async function insertPages(
  tx: Tx,
  pages: readonly (NewPage & { source_id: string; run_id: string })[],
): Promise<string[]> {
  if (pages.length === 0) return []
  const rows = await tx<{ id: string }[]>`
    insert into pages (source_id, run_id, frontier_id, url, final_url, status, tier, outcome, reason, content_type, charset,
      body_bytes, content_hash, archived, stale, headers, title, links_found, items_found, strategy, redirects, fetch_ms, parse_ms, fetched_at)
    select source_id, run_id, frontier_id, url, final_url, status, tier, outcome, reason, content_type, charset,
      body_bytes, decode(content_hash, 'hex'), archived, stale, headers, title, links_found, items_found, strategy, redirects, fetch_ms, parse_ms, fetched_at
    from rows from (jsonb_to_recordset(${tx.json(pages as never)}) as (
      source_id uuid, run_id uuid, frontier_id bigint, url text, final_url text, status smallint, tier text, outcome text, reason text, content_type text,
      charset text, body_bytes int, content_hash text, archived boolean, stale boolean, headers jsonb, title text, links_found int, items_found int,
      strategy text, redirects jsonb, fetch_ms int, parse_ms int, fetched_at timestamptz)) with ordinality as p
    order by ordinality
    returning id`
  return rows.map((row) => row.id)
}

export interface DomainSighting {
  domain: string
  links: number
  url: string
  anchor: string | null
}

/** Where sources link to outside of themselves: candidates for new sources. */
export async function countDomains(
  db: Db,
  sightings: readonly (DomainSighting & { source_id: string })[],
  now: Date,
): Promise<void> {
  if (sightings.length === 0) return
  await db`
    insert into discovered_domains as d (source_id, domain, links, example_url, example_anchor, first_seen_at, last_seen_at)
    select source_id, domain, links, url, anchor, ${now}, ${now}
    from jsonb_to_recordset(${db.json(sightings as never)}) as s(
      source_id uuid, domain text, links int, url text, anchor text)
    order by source_id, domain
    on conflict (source_id, domain) do update set links = d.links + excluded.links, last_seen_at = excluded.last_seen_at`
}

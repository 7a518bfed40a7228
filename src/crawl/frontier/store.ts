import type { Db, Tx } from '../../db/pool.ts'
import { normalizeUrl, urlHash } from '../../kernel/url.ts'
import type { ClaimedUrl, FoundUrl, UrlResult } from './types.ts'

/** A run's hold on a URL ends by itself, should neither the run nor its successor come back. */
const claimMinutes = 15
/** Refusals that another link, a changed robots.txt, other settings or time can lift. */
const passingRefusals = ['robots', 'nofollow', 'depth', 'excluded', 'not_included', 'calendar_trap']

/**
 * Due URLs for a run, most important first. New URLs and those due again are looked up apart, each in its own index:
 * in one, every claim would walk over all that was fetched before. What the run had in hand before a crash is due again at once; what is in
 * flight right now is left out.
 */
export async function claimUrls(
  db: Db,
  claim: {
    sourceId: string
    runId: string
    now: Date
    limit: number
    inFlight: readonly string[]
    /** False leaves feeds where they are. */
    feeds?: boolean
  },
): Promise<ClaimedUrl[]> {
  const free = db`
    (claimed_by is null or claimed_by = ${claim.runId} or claimed_until < ${claim.now})
    and id <> all (${[...claim.inFlight]}::bigint[])
    and (${claim.feeds ?? true} or kind <> 'feed')`
  return db<ClaimedUrl[]>`
    with fresh as (
      select id, priority from frontier
      where source_id = ${claim.sourceId} and status = 'waiting' and next_fetch_at <= ${claim.now} and ${free}
      order by priority desc, id limit ${claim.limit} for update skip locked),
    known as (
      select id, priority from frontier
      where source_id = ${claim.sourceId} and status <> 'waiting' and next_fetch_at <= ${claim.now} and ${free}
      order by priority desc, id limit ${claim.limit} for update skip locked),
    due as (
      select id from (select * from fresh union all select * from known) as both_kinds
      order by priority desc, id limit ${claim.limit})
    update frontier f set claimed_by = ${claim.runId}, claimed_until = ${claim.now}::timestamptz + ${claimMinutes} * interval '1 minute'
    from due where f.id = due.id
    returning f.id, f.url, f.kind, f.origin, f.depth, f.attempts, f.interval_minutes as "intervalMinutes", f.etag,
      f.last_modified as "lastModified", encode(f.content_hash, 'hex') as "contentHash"`
}

/** Lets go of URLs the run will not fetch after all. */
export async function releaseUrls(db: Db, runId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db`
    update frontier set claimed_by = null, claimed_until = null
    where id = any(${[...ids]}::bigint[]) and claimed_by = ${runId}`
}

/** How much there is to do, for progress. */
export async function countDue(db: Db, sourceId: string, now: Date): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from frontier where source_id = ${sourceId} and next_fetch_at <= ${now}`
  return row?.count ?? 0
}

/**
 * Adds what is new. A known URL only becomes due sooner when it is said to have changed since, or when it was refused and
 * nothing speaks against it any more.
 */
export async function addUrls(
  db: Db,
  sourceId: string,
  urls: readonly FoundUrl[],
  now: Date,
): Promise<number> {
  const added = await addUrlsOfMany(db, [{ sourceId, urls }], now)
  return added.get(sourceId) ?? 0
}

/** The same for several sources at once; how many were new or let in, by source. */
export async function addUrlsOfMany(
  db: Db,
  found: readonly { sourceId: string; urls: readonly FoundUrl[] }[],
  now: Date,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const rows = found.flatMap(({ sourceId, urls }) =>
    dedupe(urls).map((row) => ({ ...row, sourceId })),
  )
  if (rows.length === 0) return counts
  const added = await db<{ source_id: string; counts: boolean }[]>`
    insert into frontier as f (source_id, url, url_hash, kind, origin, depth, priority, anchor, found_on, status, reason, next_fetch_at,
      last_changed_at, first_seen_at)
    select "sourceId", url, decode(hash, 'hex'), kind, origin, depth, priority, anchor, "foundOn",
      case when refused is null then 'waiting' else 'refused' end, refused,
      case when refused is null then ${now}::timestamptz end, "changedAt", ${now}
    from jsonb_to_recordset(${db.json(rows)}) as u(
      "sourceId" uuid, url text, hash text, kind text, origin text, depth smallint, priority smallint, anchor text, "foundOn" bigint,
      refused text, "changedAt" timestamptz)
    order by "sourceId", priority desc, url
    on conflict (source_id, url_hash) do update set
      next_fetch_at = ${now}, priority = greatest(f.priority, excluded.priority), depth = least(f.depth, excluded.depth),
      status = case when f.status = 'refused' then 'waiting' else f.status end,
      reason = case when f.status = 'refused' then null else f.reason end
    where (f.next_fetch_at > ${now} and f.status in ('fetched', 'failed') and excluded.last_changed_at > f.last_fetched_at)
      or (f.status = 'refused' and excluded.status = 'waiting' and f.reason = any(${passingRefusals}))
    returning source_id, (xmax = 0 or status = 'waiting') as counts`
  for (const row of added)
    if (row.counts) counts.set(row.source_id, (counts.get(row.source_id) ?? 0) + 1)
  return counts
}

/** Of what was refused for one of these reasons: so many, for another look. */
export async function refusedUrls(
  db: Db,
  sourceId: string,
  reasons: readonly string[],
  limit: number,
): Promise<{ id: string; url: string; depth: number }[]> {
  return db`
    select id, url, depth from frontier
    where source_id = ${sourceId} and status = 'refused' and reason = any(${[...reasons]})
    order by id desc limit ${limit}`
}

export async function admitUrls(db: Db, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await db`
    update frontier set status = 'waiting', reason = null, next_fetch_at = ${now}
    where id = any(${[...ids]}::bigint[]) and status = 'refused'`
}

/**
 * Makes the start of a source due now, whatever its rhythm says: a run always looks at the front door, also when
 * robots.txt kept it shut the last time. A feed in trouble keeps the pause it was given.
 */
export async function touchUrl(db: Db, sourceId: string, url: FoundUrl, now: Date): Promise<void> {
  const [row] = dedupe([url])
  if (row === undefined) return
  await db`
    insert into frontier (source_id, url, url_hash, kind, origin, depth, priority, next_fetch_at, first_seen_at)
    values (${sourceId}, ${row.url}, decode(${row.hash}, 'hex'), ${row.kind}, ${row.origin}, ${row.depth}, ${row.priority}, ${now}, ${now})
    on conflict (source_id, url_hash) do update set next_fetch_at = ${now}, priority = excluded.priority, kind = excluded.kind,
      status = case when frontier.status = 'refused' then 'waiting' else frontier.status end,
      reason = case when frontier.status = 'refused' then null else frontier.reason end
    where not (frontier.status = 'refused' and frontier.reason = 'feed_disabled')
      and not (frontier.kind = 'feed' and frontier.status = 'failed')`
}

/**
 * Writes what a batch of fetches came to, in one statement, and lets go of the URLs. A redirected URL takes the address
 * it led to, unless that address is known already: then it has moved there.
 */
export async function finishUrls(tx: Tx, results: readonly UrlResult[], now: Date): Promise<void> {
  if (results.length === 0) return
  await tx`
    with results as (
      select r.*, row_number() over (partition by final_hash order by id) as place,
        exists (select 1 from frontier o join frontier me on me.id = r.id
          where o.source_id = me.source_id and o.url_hash = decode(r.final_hash, 'hex') and o.id <> r.id) as known
      from jsonb_to_recordset(${tx.json(results as never)}) as r(
        id bigint, status text, reason text, next_fetch_at timestamptz, interval_minutes int, attempts smallint,
        last_status smallint, last_error text, etag text, last_modified text, content_hash text, changed boolean,
        final_url text, final_hash text)),
    judged as (
      select *, final_hash is not null and (known or place > 1) as moved, final_hash is not null and not known and place = 1 as renamed
      from results)
    update frontier f set
      status = case when r.moved then 'moved' else r.status end,
      reason = case when r.moved then r.final_url else r.reason end,
      next_fetch_at = case when r.moved then null else r.next_fetch_at end,
      url = case when r.renamed then r.final_url else f.url end,
      url_hash = case when r.renamed then decode(r.final_hash, 'hex') else f.url_hash end,
      interval_minutes = coalesce(r.interval_minutes, f.interval_minutes), attempts = r.attempts, last_status = r.last_status,
      last_error = r.last_error, last_fetched_at = ${now}, etag = coalesce(r.etag, f.etag),
      last_modified = coalesce(r.last_modified, f.last_modified),
      content_hash = coalesce(decode(r.content_hash, 'hex'), f.content_hash),
      last_changed_at = case when r.changed then ${now}::timestamptz else f.last_changed_at end,
      claimed_by = null, claimed_until = null
    from judged r
    where f.id = r.id`
}

type Row = FoundUrl & { hash: string }

function dedupe(urls: readonly FoundUrl[]): Row[] {
  const rows = new Map<string, Row>()
  for (const found of urls) {
    const url = normalizeUrl(found.url)
    if (url === null) continue
    const hash = urlHash(url)
    const known = rows.get(hash)
    if (known === undefined || isBetter(found, known)) rows.set(hash, { ...found, url, hash })
  }
  return [...rows.values()]
}

/** Found twice: one link that may be followed is enough. */
function isBetter(found: FoundUrl, known: FoundUrl): boolean {
  const [open, wasOpen] = [(found.refused ?? null) === null, (known.refused ?? null) === null]
  return open === wasOpen ? known.priority < found.priority : open
}

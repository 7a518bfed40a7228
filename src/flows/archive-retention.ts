import type { Archive } from '../archive/store.ts'
import type { Db, Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop } from '../kernel/loop.ts'

export interface RetentionDeps {
  sql: Sql
  clock: Clock
  log: Log
  archive: Archive
  /** 0 keeps bodies for ever. */
  bodyDays: number
  pageDays: number
}

const batchSize = 500
const everyMs = 3_600_000
const dayMs = 86_400_000

/** Lets go of page bodies nobody has seen for a while, and of the records of old fetches. */
export function startArchiveRetention(deps: RetentionDeps): { stop(): Promise<void> } {
  return startLoop({
    name: 'archive retention',
    everyMs,
    log: deps.log,
    runOnce: async () => {
      const { bodies, pages } = await retainOnce(deps)
      if (bodies + pages > 0) deps.log.info({ bodies, pages }, 'old pages let go')
      const more = bodies >= batchSize || pages >= batchSize
      if (!more) await tidy(deps)
      return more ? 'again' : undefined
    },
  })
}

async function tidy({ archive, clock, log }: RetentionDeps): Promise<void> {
  const packs = await archive.tidy?.(clock.now())
  if (packs !== undefined && packs.deleted + packs.rewritten > 0) log.info(packs, 'archive tidied')
}

export async function retainOnce(
  deps: Omit<RetentionDeps, 'log'>,
): Promise<{ bodies: number; pages: number }> {
  const before = (days: number): Date => new Date(deps.clock.now().getTime() - days * dayMs)
  const hashes = deps.bodyDays === 0 ? [] : await forgetBodies(deps.sql, before(deps.bodyDays))
  await deps.archive.remove(hashes)
  return { bodies: hashes.length, pages: await deletePages(deps.sql, before(deps.pageDays)) }
}

/**
 * Bodies whose last sighting is old. Their URLs forget the hash, too: the next fetch reads and keeps the page anew
 * instead of calling it unchanged.
 */
async function forgetBodies(db: Db, before: Date): Promise<string[]> {
  const rows = await db<{ hash: string }[]>`
    with old as (
      select distinct content_hash from (
        select content_hash from pages
        where archived and fetched_at < ${before} and content_hash is not null
          and not exists (
            select from pages newer where newer.content_hash = pages.content_hash and newer.fetched_at >= ${before})
        limit ${batchSize}) o),
    marked as (
      update pages p set archived = false from old
      where p.content_hash = old.content_hash and p.archived
      returning p.frontier_id, p.content_hash),
    forgotten as (
      update frontier f set content_hash = null, etag = null, last_modified = null
      from marked m where f.id = m.frontier_id and f.content_hash = m.content_hash)
    select encode(content_hash, 'hex') as hash from old`
  return rows.map((row) => row.hash)
}

async function deletePages(db: Db, before: Date): Promise<number> {
  const rows = await db`
    delete from pages where id in (
      select id from pages where fetched_at < ${before} and not archived order by id limit ${batchSize})
    returning id`
  return rows.length
}

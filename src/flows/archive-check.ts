import type { Archive } from '../archive/store.ts'
import type { Db, Sql } from '../db/pool.ts'
import { Permanent, messageOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { startLoop } from '../kernel/loop.ts'

export interface IntegrityReport {
  checked: number
  missing: string[]
  damaged: { hash: string; reason: string }[]
}

interface CheckDeps {
  sql: Sql
  archive: Archive
}

const batchSize = 500
const everyMs = 3_600_000

/** Reads a batch of bodies each hour, round and round, so that damage is found before somebody needs the page. */
export function startArchiveCheck(deps: CheckDeps & { log: Log }): { stop(): Promise<void> } {
  let after = ''
  return startLoop({
    name: 'archive check',
    everyMs,
    log: deps.log,
    runOnce: async () => {
      const { next, ...report } = await checkSome(deps, after)
      after = next ?? ''
      const { checked, missing, damaged } = report
      if (missing.length + damaged.length > 0)
        deps.log.warn(
          { checked, missing: missing.length, damaged: damaged.length },
          'archived bodies are lost; their pages are fetched again',
        )
    },
  })
}

/** Reads every kept body again. What is missing or damaged is fetched anew with the next run of its source. */
export async function checkArchive(deps: CheckDeps): Promise<IntegrityReport> {
  const report: IntegrityReport = { checked: 0, missing: [], damaged: [] }
  for (let after: string | null = ''; after !== null;) {
    const part = await checkSome(deps, after)
    report.checked += part.checked
    report.missing.push(...part.missing)
    report.damaged.push(...part.damaged)
    after = part.next
  }
  return report
}

/** The batch after a hash; `next` is null at the end. */
async function checkSome(
  { sql, archive }: CheckDeps,
  after: string,
): Promise<IntegrityReport & { next: string | null }> {
  const rows = await sql<{ hash: string }[]>`
    select encode(content_hash, 'hex') as hash from pages
    where archived and content_hash > decode(${after}, 'hex')
    group by content_hash order by content_hash limit ${batchSize}`
  const report: IntegrityReport = { checked: rows.length, missing: [], damaged: [] }
  for (const { hash } of rows) {
    try {
      if ((await archive.get(hash)) === null) report.missing.push(hash)
    } catch (error) {
      if (!(error instanceof Permanent)) throw error
      report.damaged.push({ hash, reason: messageOf(error) })
    }
  }
  const lost = [...report.missing, ...report.damaged.map(({ hash }) => hash)]
  await archive.remove(lost)
  await fetchAgain(sql, lost)
  return { ...report, next: rows.length < batchSize ? null : (rows.at(-1)?.hash ?? null) }
}

async function fetchAgain(db: Db, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  await db`
    with lost as (select decode(hash, 'hex') as hash from unnest(${[...hashes]}::text[]) as h(hash)),
    marked as (
      update pages p set archived = false from lost where p.content_hash = lost.hash and p.archived returning p.frontier_id)
    update frontier f set content_hash = null, etag = null, last_modified = null,
      next_fetch_at = case when f.next_fetch_at is null then null else now() end
    from marked m where f.id = m.frontier_id`
}

import type { Archive, PackContent } from '../archive/store.ts'
import { transaction, type Sql, type Tx } from '../db/pool.ts'

export interface RebuildReport {
  packs: number
  /** Whole bodies in them that belong to a page. */
  bodies: number
  restored: number
}

/**
 * Reads the packs and tells the database again where the bodies of its pages are; null when bodies lie in a bucket,
 * where they are found by their name. What it knows already stays as it is.
 */
export async function rebuildArchive({
  sql,
  archive,
}: {
  sql: Sql
  archive: Archive
}): Promise<RebuildReport | null> {
  const { scan, restore } = archive
  if (scan === undefined || restore === undefined) return null
  const report: RebuildReport = { packs: 0, bodies: 0, restored: 0 }
  for await (const content of scan()) {
    await transaction(sql, async (tx) => {
      const wanted = await ofPages(tx, content)
      const hashes = await restore(tx, wanted)
      await markArchived(tx, hashes)
      report.packs += 1
      report.bodies += wanted.bodies.length
      report.restored += hashes.length
    })
  }
  return report
}

/** A body that no page refers to is one that was never committed. */
async function ofPages(tx: Tx, { bodies, packs }: PackContent): Promise<PackContent> {
  const rows = await tx<{ hash: string }[]>`
    select distinct h.hash from unnest(${bodies.map((body) => body.hash)}::text[]) as h(hash)
    where exists (select from pages p where p.content_hash = decode(h.hash, 'hex'))`
  const known = new Set(rows.map((row) => row.hash))
  return { bodies: bodies.filter((body) => known.has(body.hash)), packs }
}

async function markArchived(tx: Tx, hashes: readonly string[]): Promise<void> {
  await tx`
    update pages set archived = true
    where content_hash in (select decode(hash, 'hex') from unnest(${[...hashes]}::text[]) as h(hash)) and not archived`
}

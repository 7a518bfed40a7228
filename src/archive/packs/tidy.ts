import { rm, rmdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Sql } from '../../db/pool.ts'
import { fullBytes } from './append.ts'
import { liveBytes } from './index-of-bodies.ts'
import { isMissing, listPacks, packPath } from './place.ts'
import { rewritePacks } from './rewrite.ts'

const packsPerTurn = 200
/** Nobody writes to a pack this long after its last body, nor commits one of them. */
const quietMs = 3_600_000
const restMs = 86_400_000

interface Pack {
  id: string
  size: number
  live: number
  quietForMs: number
}

/**
 * Gives room back: packs without a body in use are deleted, those with few are rewritten together. A crash in between
 * leaves a pack that nobody refers to, and a later turn deletes it. `next` is where to go on, null at the end.
 */
export async function tidyPacks(
  sql: Sql,
  folder: string,
  now: Date,
  after: string | null,
): Promise<{ deleted: number; rewritten: number; next: string | null }> {
  const left = (await listPacks(folder)).filter((id) => after === null || id > after)
  const turn = left.slice(0, packsPerTurn)
  const packs = await lookAt(sql, folder, turn, now)
  const empty = packs.filter((pack) => pack.live === 0 && pack.quietForMs > quietMs)
  for (const { id } of empty) await deletePack(folder, id)
  const thin = packs.filter(
    ({ live, quietForMs }) => live > 0 && live < fullBytes / 2 && quietForMs > restMs,
  )
  let rewritten = 0
  for (const group of groupsOf(thin)) {
    const ids = group.map((pack) => pack.id)
    await rewritePacks(sql, folder, ids)
    for (const id of ids) await deletePack(folder, id)
    rewritten += ids.length
  }
  const next = left.length > turn.length ? (turn.at(-1) ?? null) : null
  return { deleted: empty.length, rewritten, next }
}

async function lookAt(
  sql: Sql,
  folder: string,
  ids: readonly string[],
  now: Date,
): Promise<Pack[]> {
  // Files first: a body that is committed after we asked is in a pack that was not quiet.
  const files = await Promise.all(
    ids.map((id) => stat(packPath(folder, id)).catch(nullWhenMissing)),
  )
  const live = await liveBytes(sql, ids)
  return ids.flatMap((id, index) => {
    const file = files[index]
    if (!file) return []
    const quietForMs = now.getTime() - file.mtimeMs
    return [{ id, size: file.size, live: live.get(id) ?? 0, quietForMs }]
  })
}

/** As many as fill a pack; one alone only when most of it is dead. */
function groupsOf(packs: readonly Pack[]): Pack[][] {
  const groups: Pack[][] = []
  let room = 0
  for (const pack of packs) {
    room -= pack.live
    if (room < 0) {
      groups.push([])
      room = fullBytes - pack.live
    }
    groups.at(-1)?.push(pack)
  }
  return groups.filter(
    ([first, ...others]) => first && (others.length > 0 || first.live < first.size / 2),
  )
}

async function deletePack(folder: string, id: string): Promise<void> {
  const path = packPath(folder, id)
  await rm(path, { force: true })
  // The folder of its day, when this was the last.
  await rmdir(dirname(path)).catch(() => {})
}

function nullWhenMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { transaction, type Sql } from '../../db/pool.ts'
import { newId } from '../../kernel/ids.ts'
import { bodiesOf, moveBodies } from './index-of-bodies.ts'
import { packPath } from './place.ts'
import { headBytes, type KeptBody } from './record.ts'

/** Copies the bodies in use of some packs to a new one. The old ones may be deleted then: who does not find them asks again. */
export async function rewritePacks(
  sql: Sql,
  folder: string,
  packs: readonly string[],
): Promise<void> {
  const from = await bodiesOf(sql, packs)
  const pack = newId()
  const path = packPath(folder, pack)
  await mkdir(dirname(path), { recursive: true })
  const to = await copyBodies(folder, from, path, pack)
  await transaction(sql, (tx) => moveBodies(tx, from, to))
}

/** As they are: whether they are whole is for the check to find out. */
async function copyBodies(
  folder: string,
  bodies: readonly KeptBody[],
  path: string,
  pack: string,
): Promise<KeptBody[]> {
  const copied: KeptBody[] = []
  const copy = await open(path, 'ax')
  const files = new Map<string, FileHandle>()
  let at = 0
  try {
    for (const body of bodies) {
      const file = files.get(body.pack) ?? (await open(packPath(folder, body.pack)))
      files.set(body.pack, file)
      const record = Buffer.alloc(headBytes + body.length)
      await file.read(record, 0, record.length, body.at)
      await copy.writeFile(record)
      copied.push({ ...body, pack, at })
      at += record.length
    }
    await copy.datasync()
    return copied
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    for (const file of [copy, ...files.values()]) await file.close()
  }
}

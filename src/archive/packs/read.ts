import { open } from 'node:fs/promises'
import type { Db } from '../../db/pool.ts'
import { codeOf } from '../../kernel/errors.ts'
import { damaged, unpack } from '../packing.ts'
import { findBody } from './index-of-bodies.ts'
import { isMissing, packPath } from './place.ts'
import { headBytes, packedBody, type KeptBody } from './record.ts'

/** The body as it was, null when there is none, or an error: never another one. */
export async function readBody(
  db: Db,
  folder: string,
  hash: string,
  gone?: KeptBody,
): Promise<Buffer | null> {
  const place = await findBody(db, hash)
  if (place === null || (place.pack === gone?.pack && place.at === gone.at)) return null
  const record = await readRecord(folder, place)
  // The pack may have been rewritten since we asked where the body is: ask once more.
  if (record === null) return readBody(db, folder, hash, place)
  const packed = packedBody(record, place)
  if (packed === null) throw damaged(hash)
  return unpack(packed, 'br', hash)
}

async function readRecord(
  folder: string,
  { hash, pack, at, length }: KeptBody,
): Promise<Buffer | null> {
  try {
    const file = await open(packPath(folder, pack))
    try {
      const record = Buffer.alloc(headBytes + length)
      const { bytesRead } = await file.read(record, 0, record.length, at)
      return record.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isMissing(error)) return null
    if (codeOf(error) === 'EIO') throw damaged(hash, error)
    throw error
  }
}

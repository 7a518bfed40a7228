import { readFile } from 'node:fs/promises'
import { Permanent } from '../../kernel/errors.ts'
import { unpack } from '../packing.ts'
import { isMissing, packPath } from './place.ts'
import { headBytes, headOf, magic, type KeptBody } from './record.ts'

/** Every whole body of a pack, by the pack alone. What is torn or damaged is stepped over. */
export async function scanPack(folder: string, pack: string): Promise<KeptBody[]> {
  const bytes = await readFile(packPath(folder, pack)).catch((error: unknown) => {
    if (isMissing(error)) return Buffer.alloc(0)
    throw error
  })
  const found: KeptBody[] = []
  let at = bytes.indexOf(magic)
  while (at !== -1) {
    const body = wholeBody(bytes, at, pack)
    if (body !== null) found.push(body)
    at = bytes.indexOf(magic, body === null ? at + 1 : at + headBytes + body.length)
  }
  return found
}

function wholeBody(bytes: Buffer, at: number, pack: string): KeptBody | null {
  const head = headOf(bytes.subarray(at, at + headBytes))
  if (head === null || at + headBytes + head.length > bytes.length) return null
  try {
    unpack(bytes.subarray(at + headBytes, at + headBytes + head.length), 'br', head.hash)
    return { ...head, pack, at }
  } catch (error) {
    if (error instanceof Permanent) return null
    throw error
  }
}

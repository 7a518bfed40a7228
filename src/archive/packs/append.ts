import { closeSync, fstatSync, mkdirSync, openSync, writevSync } from 'node:fs'
import { dirname } from 'node:path'
import { newId } from '../../kernel/ids.ts'
import { pack as compress } from '../packing.ts'
import { isMissing, packPath } from './place.ts'
import { headBytes, recordHead, type KeptBody } from './record.ts'

export const fullBytes = 64 * 1024 * 1024
/** Long before a quiet pack is taken for one that nobody writes to. */
const longestOpenMs = 600_000

interface OpenPack {
  pack: string
  file: number
  begunAt: number
  /** What this pack has already: pages that look alike are packed once. */
  kept: Map<string, KeptBody>
}

/** Of this thread: nobody else writes to its packs. */
const open = new Map<string, OpenPack>()

/**
 * Adds a body to the pack that is open; it counts from when its place is committed. A file of its own for each body cost
 * 0.15 to 1 ms of processor time in the kernel, this costs 0.02. Synchronous on purpose: it runs in the parse threads.
 */
export function appendBody(folder: string, hash: string, body: Uint8Array): KeptBody {
  const { pack, file, kept, size } = openPack(folder)
  const known = kept.get(hash)
  if (known !== undefined) return known
  const packed = compress(body)
  const written = writevSync(file, [recordHead(hash, packed.length), packed])
  if (written < headBytes + packed.length) throw new Error('the archive has no room left')
  const place = { hash, pack, at: size, length: packed.length }
  kept.set(hash, place)
  return place
}

function openPack(folder: string): OpenPack & { size: number } {
  const current = open.get(folder)
  if (current !== undefined) {
    const { size, nlink } = fstatSync(current.file)
    const old = Date.now() - current.begunAt > longestOpenMs
    // Without a link, somebody cleared the folder away.
    if (size < fullBytes && nlink > 0 && !old) return { ...current, size }
    open.delete(folder)
    closeSync(current.file)
  }
  const begun = beginPack(folder)
  open.set(folder, begun)
  return { ...begun, size: 0 }
}

function beginPack(folder: string): OpenPack {
  const pack = newId()
  const path = packPath(folder, pack)
  const begin = (): OpenPack => ({
    pack,
    file: openSync(path, 'ax'),
    begunAt: Date.now(),
    kept: new Map(),
  })
  try {
    return begin()
  } catch (error) {
    if (!isMissing(error)) throw error
    mkdirSync(dirname(path), { recursive: true })
    return begin()
  }
}

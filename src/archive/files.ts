import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Permanent } from '../kernel/errors.ts'
import type { Archive } from './store.ts'

/** Level 1 takes a third of the time of the default and gives up a tenth of the space. */
const compression = { level: 1 }
const largestBody = 256 * 1024 * 1024

/** In the data folder, compressed, in 256 folders: a second level would cost a new folder for nearly every page. Synchronous on purpose: it runs in the parse threads. */
export function fileArchive(folder: string): Archive {
  return {
    put: async (hash, body) => writeBody(folder, hash, body),
    get: async (hash) => readBody(folder, hash),
    remove: async (hash) => rmSync(pathOf(folder, hash), { force: true }),
  }
}

export function writeBody(folder: string, hash: string, body: Uint8Array): void {
  const path = pathOf(folder, hash)
  if (existsSync(path)) return
  const packed = gzipSync(body, compression)
  try {
    place(path, packed)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    mkdirSync(dirname(path), { recursive: true })
    place(path, packed)
  }
}

/** Written beside and renamed: a crash never leaves half a body under its final name. */
function place(path: string, packed: Uint8Array): void {
  const partial = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`
  writeFileSync(partial, packed)
  renameSync(partial, path)
}

export function readBody(folder: string, hash: string): Uint8Array | null {
  const path = pathOf(folder, hash)
  if (!existsSync(path)) return null
  const body = gunzipSync(readFileSync(path), { maxOutputLength: largestBody })
  if (createHash('sha256').update(body).digest('hex') !== hash) {
    throw new Permanent(`the archived body ${hash} is damaged`)
  }
  return body
}

function pathOf(folder: string, hash: string): string {
  return join(folder, hash.slice(0, 2), `${hash}.gz`)
}

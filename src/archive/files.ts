import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pack, suffixes, unpack, type Suffix } from './packing.ts'
import type { Archive } from './store.ts'

/** In the data folder, compressed, in 256 folders: a second level would cost a new folder for nearly every page. Synchronous on purpose: it runs in the parse threads. */
export function fileArchive(folder: string): Archive {
  return {
    put: async (hash, body) => writeBody(folder, hash, body),
    get: async (hash) => readBody(folder, hash),
    remove: async (hash) => {
      for (const suffix of suffixes) rmSync(pathOf(folder, hash, suffix), { force: true })
    },
  }
}

export function writeBody(folder: string, hash: string, body: Uint8Array): void {
  const path = pathOf(folder, hash, 'br')
  if (existsSync(path)) return
  const packed = pack(body)
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

function readBody(folder: string, hash: string): Uint8Array | null {
  for (const suffix of suffixes) {
    const path = pathOf(folder, hash, suffix)
    if (existsSync(path)) return unpack(readFileSync(path), suffix, hash)
  }
  return null
}

function pathOf(folder: string, hash: string, suffix: Suffix): string {
  return join(folder, hash.slice(0, 2), `${hash}.${suffix}`)
}

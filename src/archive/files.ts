import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { transaction, type Sql } from '../db/pool.ts'
import { appendBody } from './packs/append.ts'
import { archiveHome, forgetBodies, keepBodies, restoreBodies } from './packs/index-of-bodies.ts'
import { isMissing, listPacks } from './packs/place.ts'
import { readBody } from './packs/read.ts'
import { scanPack } from './packs/scan.ts'
import { settlePack } from './packs/settle.ts'
import { tidyPacks } from './packs/tidy.ts'
import { suffixes, unpack, type Suffix } from './packing.ts'
import type { Archive } from './store.ts'

/** In the data folder, compressed, many to a file; the database knows where. Earlier releases had a file for each. */
export function fileArchive(
  folder: string,
  sql: Sql,
): Archive & Required<Pick<Archive, 'packFolder' | 'settle' | 'tidy' | 'scan' | 'restore'>> {
  let packs: string | null = null
  let tidiedUpTo: string | null = null
  const packFolder = async (): Promise<string> =>
    (packs ??= join(folder, 'packs', await archiveHome(sql)))
  return {
    packFolder,
    settle: async (kept) => {
      const home = await packFolder()
      const added = new Set(kept.map(({ pack }) => pack))
      await Promise.all([...added].map((pack) => settlePack(home, pack)))
    },
    put: async (hash, body) => {
      const kept = appendBody(await packFolder(), hash, body)
      await transaction(sql, (tx) => keepBodies(tx, [kept]))
    },
    get: async (hash) =>
      (await readBody(sql, await packFolder(), hash)) ?? (await readFileOf(folder, hash)),
    remove: async (hashes) => {
      await forgetBodies(sql, hashes)
      for (const hash of hashes)
        for (const suffix of suffixes) await rm(pathOf(folder, hash, suffix), { force: true })
    },
    tidy: async (now) => {
      const { next, ...done } = await tidyPacks(sql, await packFolder(), now, tidiedUpTo)
      tidiedUpTo = next
      return done
    },
    scan: async function* () {
      const home = await packFolder()
      const all = await listPacks(home)
      for (const pack of all) yield { bodies: await scanPack(home, pack), packs: all }
    },
    restore: (tx, { bodies, packs: all }) => restoreBodies(tx, bodies, all),
  }
}

/** As bodies were kept before there were packs. */
async function readFileOf(folder: string, hash: string): Promise<Uint8Array | null> {
  for (const suffix of suffixes) {
    try {
      return unpack(await readFile(pathOf(folder, hash, suffix)), suffix, hash)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  return null
}

function pathOf(folder: string, hash: string, suffix: Suffix): string {
  return join(folder, hash.slice(0, 2), `${hash}.${suffix}`)
}

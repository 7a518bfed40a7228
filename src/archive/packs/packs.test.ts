import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDatabase } from '../../../test/harness/database.ts'
import { fileArchive } from '../files.ts'
import { appendBody, fullBytes } from './append.ts'
import { bodiesOf, findBody, keepBodies } from './index-of-bodies.ts'
import { listPacks, packPath } from './place.ts'
import { headBytes, type KeptBody } from './record.ts'
import { rewritePacks } from './rewrite.ts'

const database = useDatabase()
let folder = ''
let packs = ''

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-packs-'))
  packs = await archive().packFolder()
  await database.sql`truncate archive_bodies`
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const archive = () => fileArchive(folder, database.sql)
const page = (text: string): Buffer => Buffer.from(`<p>${text}</p>`.repeat(50))
const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex')
const append = (body: Buffer): KeptBody => appendBody(packs, hashOf(body), body)
const commit = (...kept: KeptBody[]): Promise<unknown> =>
  database.sql.begin((tx) => keepBodies(tx, kept))
const read = async (body: Buffer): Promise<string | null> => {
  const found = await archive().get(hashOf(body))
  return found === null ? null : Buffer.from(found).toString()
}
/** What is written next goes to another pack. */
const laterOn = (): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 700_000 })
}
const quietFor = (pack: string, hours: number): void => {
  const then = new Date(Date.now() - hours * 3_600_000)
  utimesSync(packPath(packs, pack), then, then)
}

test('bodies lie one behind the other, and those that look alike once', () => {
  const first = append(page('one'))
  const second = append(page('two'))
  expect(second).toMatchObject({ pack: first.pack, at: headBytes + first.length })
  expect(append(page('one'))).toEqual(first)
  expect(statSync(packPath(packs, first.pack)).size).toBe(
    2 * headBytes + first.length + second.length,
  )
})

test('a pack that is full, old or gone is followed by another', async () => {
  const full = append(page('first'))
  truncateSync(packPath(packs, full.pack), fullBytes)
  const second = append(page('second'))
  expect(second.pack).not.toBe(full.pack)
  laterOn()
  const third = append(page('third'))
  expect(third.pack).not.toBe(second.pack)
  rmSync(folder, { recursive: true })
  const fourth = append(page('third'))
  expect(fourth.pack).not.toBe(third.pack)
  await commit(fourth)
  expect(await read(page('third'))).toBe(page('third').toString())
})

test('a body counts from when it is committed, and its newest place is the one', async () => {
  const kept = append(page('seen'))
  expect(await read(page('seen'))).toBeNull()
  await commit(kept, kept)
  expect(await read(page('seen'))).toBe(page('seen').toString())
  rmSync(packPath(packs, kept.pack))
  expect(await read(page('seen'))).toBeNull()
  await commit(append(page('seen')))
  expect(await read(page('seen'))).toBe(page('seen').toString())
})

test('what was added is brought to the disk, and what is gone is no reason to stop', async () => {
  const kept = append(page('lasting'))
  await archive().settle([kept, kept])
  rmSync(packPath(packs, kept.pack))
  await archive().settle([kept])
})

test('what a crash left half written harms nobody', async () => {
  const before = append(page('before'))
  const torn = openSync(packPath(packs, before.pack), 'a')
  writeSync(torn, readFileSync(packPath(packs, before.pack)).subarray(0, headBytes + 5))
  const after = append(page('after'))
  await commit(before, after)
  expect(await read(page('before'))).toBe(page('before').toString())
  expect(await read(page('after'))).toBe(page('after').toString())
})

test('a record that was changed, or has lost its end, is damage', async () => {
  const first = append(page('first'))
  const last = append(page('last'))
  await commit(first, last)
  const file = openSync(packPath(packs, first.pack), 'r+')
  writeSync(file, Buffer.alloc(4), 0, 4, first.at + headBytes)
  truncateSync(packPath(packs, first.pack), last.at + headBytes + 3)
  await expect(read(page('first'))).rejects.toThrow('damaged')
  await expect(read(page('last'))).rejects.toThrow('damaged')
})

test('a place that belongs to another body is damage', async () => {
  const mine = append(page('mine'))
  const other = append(page('other'))
  await commit(mine, { ...other, at: mine.at, length: mine.length })
  await expect(read(page('other'))).rejects.toThrow('damaged')
})

test('two threads write to packs of their own', async () => {
  const [ours, theirs] = [page('ours'), page('theirs')]
  const program = `
    const { parentPort, workerData } = require('node:worker_threads')
    const load = async () => {
      const { register } = await import('tsx/esm/api')
      register()
      const { appendBody } = await import(workerData.module)
      parentPort.postMessage(appendBody(workerData.packs, workerData.hash, workerData.body))
    }
    void load()`
  const thread = new Worker(program, {
    eval: true,
    workerData: {
      module: new URL('./append.ts', import.meta.url).href,
      packs,
      hash: hashOf(theirs),
      body: theirs,
    },
  })
  const [first, kept] = [append(ours), (await once(thread, 'message'))[0] as KeptBody]
  expect(kept.pack).not.toBe(first.pack)
  await commit(first, kept)
  expect(await read(ours)).toBe(ours.toString())
  expect(await read(theirs)).toBe(theirs.toString())
  await thread.terminate()
})

test('a pack without a body in use is deleted an hour after it was written', async () => {
  const removed = append(page('removed'))
  await commit(removed)
  laterOn()
  const neverCommitted = append(page('never committed'))
  await archive().remove([removed.hash])
  expect(await archive().tidy(new Date())).toEqual({ deleted: 0, rewritten: 0 })
  quietFor(removed.pack, 2)
  quietFor(neverCommitted.pack, 2)
  expect(await archive().tidy(new Date())).toEqual({ deleted: 2, rewritten: 0 })
  expect(await listPacks(packs)).toEqual([])
})

test('removing leaves a body alone that is kept anew at that moment', async () => {
  const old = append(page('both'))
  await commit(old)
  laterOn()
  const anew = append(page('both'))
  const removal = await database.sql.begin(async (tx) => {
    await keepBodies(tx, [anew])
    const removing = archive().remove([old.hash])
    await waitForLock()
    return { removing }
  })
  await removal.removing
  expect(await findBody(database.sql, old.hash)).toEqual(anew)
})

test('packs with little in use are rewritten together after a day, under the eyes of a reader', async () => {
  const all: KeptBody[] = []
  for (const name of ['a', 'b', 'c']) {
    const kept = append(page(`in use ${name}`))
    all.push(kept)
    await commit(kept, append(page(`not in use ${name}`)))
    await archive().remove([hashOf(page(`not in use ${name}`))])
    laterOn()
  }
  const young = append(page('young'))
  await commit(young)
  for (const { pack } of all) quietFor(pack, 25)
  quietFor(young.pack, 2)
  expect(await archive().tidy(new Date())).toEqual({ deleted: 0, rewritten: 3 })
  const [first, second] = await listPacks(packs)
  expect([first, second]).toContain(young.pack)
  for (const { pack } of all) expect(existsSync(packPath(packs, pack))).toBe(false)
  for (const name of ['a', 'b', 'c'])
    expect(await read(page(`in use ${name}`))).toBe(page(`in use ${name}`).toString())
  expect(await archive().tidy(new Date())).toEqual({ deleted: 0, rewritten: 0 })
})

test('a pack that is all in use is not rewritten alone', async () => {
  const kept = append(page('alone'))
  await commit(kept)
  quietFor(kept.pack, 25)
  expect(await archive().tidy(new Date())).toEqual({ deleted: 0, rewritten: 0 })
})

test('a reader whose pack is rewritten and gone looks where the body is now', async () => {
  const kept = append(page('moved'))
  await commit(kept)
  const path = packPath(packs, kept.pack)
  const aside = `${path}.aside`
  let asked = 0
  const slow = new Proxy(database.sql, {
    apply: async (target, self, args) => {
      const answer: unknown = await Reflect.apply(target, self, args)
      // Between the question where the body is and the look into its pack.
      if (++asked === 1) {
        await rewritePacks(database.sql, packs, [kept.pack])
        renameSync(path, aside)
      }
      return answer
    },
  })
  const reader = fileArchive(folder, slow)
  asked = -1
  const found = await reader.get(kept.hash)
  expect(Buffer.from(found ?? []).toString()).toBe(page('moved').toString())
  expect((await bodiesOf(database.sql, [kept.pack])).length).toBe(0)
})

async function waitForLock(): Promise<void> {
  await vi.waitFor(
    async () => {
      const [row] = await database.sql<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_locks where not granted`
      expect(row?.waiting).toBeGreaterThan(0)
    },
    { timeout: 30_000, interval: 20 },
  )
}

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { fileArchive } from './files.ts'
import { s3Archive } from './s3.ts'
import type { Archive } from './store.ts'

const database = useDatabase()
const folder = mkdtempSync(join(tmpdir(), 'millrace-archive-test-'))
const archives = new Map<string, Archive>()
const body = Buffer.from('<h1>A page worth keeping</h1>'.repeat(100))
const hash = createHash('sha256').update(body).digest('hex')
let server: S3rver

beforeAll(async () => {
  server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 's3'),
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: 'pages', configs: [] }],
  })
  const { port } = await server.run()
  archives.set('files', fileArchive(join(folder, 'files'), database.sql))
  archives.set(
    's3',
    s3Archive({
      endpoint: `http://127.0.0.1:${port}/pages`,
      region: 'auto',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    }),
  )
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(['files', 's3'])('the archive in %s', (name) => {
  const archive = (): Archive => {
    const found = archives.get(name)
    if (found === undefined) throw new Error(`no archive ${name}`)
    return found
  }

  test('gives back what it was given, once however often it was given', async () => {
    await archive().put(hash, body)
    await archive().put(hash, body)
    expect(Buffer.from((await archive().get(hash)) ?? [])).toEqual(body)
  })

  test('has nothing under a name it does not know, or knows no more', async () => {
    expect(await archive().get('0'.repeat(64))).toBeNull()
    await archive().put(hash, body)
    await archive().remove([hash])
    expect(await archive().get(hash)).toBeNull()
  })

  test('does not pass off another body as the one asked for', async () => {
    const other = 'a'.repeat(64)
    await archive().put(other, body)
    await expect(archive().get(other)).rejects.toThrow('damaged')
  })
})

describe.each([
  ['br', brotliCompressSync],
  ['gz', gzipSync],
] as const)('a body that an earlier release kept in a file of its own, .%s', (suffix, compress) => {
  const old = join(folder, `old-${suffix}`)
  const path = join(old, hash.slice(0, 2), `${hash}.${suffix}`)
  const write = (content: Uint8Array): void => {
    mkdirSync(join(old, hash.slice(0, 2)), { recursive: true })
    writeFileSync(path, content)
  }

  test('is read and removed as ever', async () => {
    const files = fileArchive(old, database.sql)
    write(compress(body))
    expect(Buffer.from((await files.get(hash)) ?? [])).toEqual(body)
    await files.remove([hash])
    expect(await files.get(hash)).toBeNull()
  })

  test('is damaged when only half of it is there, not a page', async () => {
    write(compress(body).subarray(0, 30))
    await expect(fileArchive(old, database.sql).get(hash)).rejects.toThrow('damaged')
  })
})

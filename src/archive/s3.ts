import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { S3mini } from 's3mini'
import { Permanent } from '../kernel/errors.ts'
import type { Archive } from './store.ts'

export interface S3Options {
  /** With the bucket as its path. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const compress = promisify(gzip)
const expand = promisify(gunzip)
const largestBody = 256 * 1024 * 1024
const timeoutMs = 30_000
const tries = 4
const firstPauseMs = 100

/** In an S3-compatible bucket, compressed, under the same names as in the data folder. */
export function s3Archive(options: S3Options): Archive {
  const bucket = new S3mini({ ...options, requestAbortTimeout: timeoutMs, fetch: send })
  return {
    put: async (hash, body) => {
      const key = keyOf(hash)
      const packed = await compress(body, { level: 1 })
      await again(async () => {
        if ((await bucket.objectExists(key)) === true) return
        await bucket.putObject(key, packed, 'application/gzip')
      })
    },
    get: async (hash) => {
      const packed = await again(() => bucket.getObjectArrayBuffer(keyOf(hash)))
      if (packed === null) return null
      const body = await expand(Buffer.from(packed), { maxOutputLength: largestBody })
      if (createHash('sha256').update(body).digest('hex') !== hash)
        throw new Permanent(`the archived body ${hash} is damaged`)
      return body
    },
    remove: async (hash) => {
      await again(() => bucket.deleteObject(keyOf(hash)))
    },
  }
}

/**
 * The client of the crawler also takes over the sockets of the built-in fetch, and refuses the length that S3mini
 * announces twice: it is sent by that client itself, which counts the body.
 */
const send = (async (url: string, init: RequestInit = {}) => {
  const { fetch: undiciFetch } = await import('undici')
  const headers = new Headers(init.headers)
  headers.delete('content-length')
  return undiciFetch(url, { ...init, headers: [...headers] } as Parameters<typeof undiciFetch>[1])
}) as unknown as typeof fetch

/** A dropped connection is no reason to fail a run: every request here may be sent twice. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (tried >= tries) throw error
      await sleep(firstPauseMs * 2 ** (tried - 1))
    }
  }
}

function keyOf(hash: string): string {
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}.gz`
}

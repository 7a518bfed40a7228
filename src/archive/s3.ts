import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini } from 's3mini'
import { pack, suffixes, unpack, type Suffix } from './packing.ts'
import type { Archive } from './store.ts'

export interface S3Options {
  /** With the bucket as its path. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const timeoutMs = 30_000
const tries = 4
const firstPauseMs = 100

/** In an S3-compatible bucket, compressed, each under its name. */
export function s3Archive(options: S3Options): Archive {
  const bucket = new S3mini({ ...options, requestAbortTimeout: timeoutMs, fetch: send })
  return {
    put: async (hash, body) => {
      const key = keyOf(hash, 'br')
      const packed = pack(body)
      await again(async () => {
        if ((await bucket.objectExists(key)) === true) return
        await bucket.putObject(key, packed, 'application/octet-stream')
      })
    },
    get: async (hash) => {
      for (const suffix of suffixes) {
        const packed = await again(() => bucket.getObjectArrayBuffer(keyOf(hash, suffix)))
        if (packed !== null) return unpack(packed, suffix, hash)
      }
      return null
    },
    remove: async (hashes) => {
      for (const hash of hashes)
        for (const suffix of suffixes) await again(() => bucket.deleteObject(keyOf(hash, suffix)))
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

function keyOf(hash: string, suffix: Suffix): string {
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}.${suffix}`
}

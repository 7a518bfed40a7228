import { createHash } from 'node:crypto'
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

/** In an S3-compatible bucket, compressed, under the same names as in the data folder. */
export function s3Archive(options: S3Options): Archive {
  const bucket = new S3mini(options)
  return {
    put: async (hash, body) => {
      const key = keyOf(hash)
      if ((await bucket.objectExists(key)) === true) return
      await bucket.putObject(key, await compress(body, { level: 1 }), 'application/gzip')
    },
    get: async (hash) => {
      const packed = await bucket.getObjectArrayBuffer(keyOf(hash))
      if (packed === null) return null
      const body = await expand(Buffer.from(packed), { maxOutputLength: largestBody })
      if (createHash('sha256').update(body).digest('hex') !== hash)
        throw new Permanent(`the archived body ${hash} is damaged`)
      return body
    },
    remove: async (hash) => {
      await bucket.deleteObject(keyOf(hash))
    },
  }
}

function keyOf(hash: string): string {
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}.gz`
}

import { createHash } from 'node:crypto'
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  type InputType,
} from 'node:zlib'
import { Permanent } from '../kernel/errors.ts'

/** As bodies are packed now, and as they were. */
export const suffixes = ['br', 'gz'] as const
export type Suffix = (typeof suffixes)[number]

/** Half the time of gzip at its fastest, for the same size. */
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const largestBody = 256 * 1024 * 1024

export function pack(body: Uint8Array): Buffer {
  return brotliCompressSync(body, quickly)
}

/** The body as it was, or an error: never another one. */
export function unpack(packed: InputType, suffix: Suffix, hash: string): Buffer {
  const limit = { maxOutputLength: largestBody }
  const body = suffix === 'br' ? brotliDecompressSync(packed, limit) : gunzipSync(packed, limit)
  if (createHash('sha256').update(body).digest('hex') !== hash)
    throw new Permanent(`the archived body ${hash} is damaged`)
  return body
}

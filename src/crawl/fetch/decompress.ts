import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { codeOf } from '../../kernel/errors.ts'
import { TooLarge } from './exchange.ts'

const gunzip = promisify(zlib.gunzip)
const inflate = promisify(zlib.inflate)
const inflateRaw = promisify(zlib.inflateRaw)
const brotli = promisify(zlib.brotliDecompress)

/** What this Node can read; zstd came with 22.15. */
export const acceptEncoding = 'gzip, deflate, br'

/** The plain body, never more than `maxBytes` of it: a bomb ends where the limit is. */
export async function decompress(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  let current = body
  const steps = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((step) => step.trim())
    .filter((step) => step !== '' && step !== 'identity')
  if (steps.length > 3) throw new Error(`too many content encodings: ${encoding}`)
  for (const step of steps.reverse()) current = await undo(step, current, maxBytes)
  return current
}

async function undo(step: string, body: Buffer, maxOutputLength: number): Promise<Buffer> {
  if (body.length === 0) return body
  const options = { maxOutputLength, finishFlush: zlib.constants.Z_SYNC_FLUSH }
  try {
    if (step === 'gzip' || step === 'x-gzip') return await gunzip(body, options)
    if (step === 'br') return await brotli(body, { maxOutputLength })
    // Some servers send raw deflate under this name.
    if (step === 'deflate')
      return await inflate(body, options).catch(() => inflateRaw(body, options))
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw new TooLarge(maxOutputLength)
    // A server that announces gzip and sends plain text is common enough.
    if (step !== 'br' && codeOf(error) === 'Z_DATA_ERROR' && body[0] !== 0x1f) return body
    throw error
  }
  throw new Error(`unknown content encoding "${step}"`)
}

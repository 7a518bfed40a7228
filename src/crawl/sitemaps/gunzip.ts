import { Gunzip } from 'fflate'

const SLICE_BYTES = 16 * 1024

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Unpacks up to a limit; a damaged or cut-off file gives what came before the damage. */
export function gunzipBounded(
  packed: Uint8Array,
  maxBytes: number,
): { bytes: Uint8Array; truncated: boolean } {
  const chunks: Uint8Array[] = []
  let size = 0
  const gunzip = new Gunzip((chunk) => {
    chunks.push(chunk)
    size += chunk.length
  })
  let damaged = false
  try {
    for (let at = 0; at < packed.length; at += SLICE_BYTES) {
      if (size > maxBytes) break
      gunzip.push(packed.subarray(at, at + SLICE_BYTES), at + SLICE_BYTES >= packed.length)
    }
  } catch {
    damaged = true
  }
  const bytes = Buffer.concat(chunks)
  return { bytes: bytes.subarray(0, maxBytes), truncated: damaged || size > maxBytes }
}

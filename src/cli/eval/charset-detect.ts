import { detectCharset } from '../../crawl/charset/index.ts'

export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const contentType = typeof input['contentType'] === 'string' ? input['contentType'] : null
  return { encoding: detectCharset(Buffer.from(String(input['bytes']), 'base64'), contentType) }
}

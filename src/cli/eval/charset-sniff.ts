import { declaredCharset } from '../../crawl/charset/index.ts'

// The standard's sniffing alone: what it calls the default is where our statistics would begin.
export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const contentType = typeof input['contentType'] === 'string' ? input['contentType'] : null
  const bytes = Buffer.from(String(input['bytes']), 'base64')
  return { encoding: declaredCharset(bytes, contentType) ?? 'windows-1252' }
}

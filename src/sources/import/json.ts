import { UnreadableFile, decodeUtf8, type ImportRow } from './read.ts'

/** A list of sources, or an object with a `sources` or `data` list, as our own export writes it. */
export function readJson(bytes: Uint8Array): ImportRow[] {
  let value: unknown
  try {
    value = JSON.parse(decodeUtf8(bytes))
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile('not valid JSON', { cause: error })
  }
  const list = Array.isArray(value) ? value : listIn(value)
  if (list === null)
    throw new UnreadableFile('expected a list of sources, or an object with a list named "sources"')
  return list.map((entry: unknown, index) => ({
    line: index + 1,
    cells:
      typeof entry === 'object' && entry !== null && !Array.isArray(entry)
        ? (entry as Record<string, unknown>)
        : {},
  }))
}

function listIn(value: unknown): unknown[] | null {
  if (typeof value !== 'object' || value === null) return null
  for (const name of ['sources', 'data']) {
    const list = (value as Record<string, unknown>)[name]
    if (Array.isArray(list)) return list
  }
  return null
}

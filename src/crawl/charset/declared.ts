import { prescanMeta } from './prescan.ts'

const PRESCAN_BYTES = 64 * 1024

/** What the page says of itself, in the order of the HTML standard: mark, header, XML declaration, meta. */
export function declaredCharset(bytes: Uint8Array, contentType: string | null): string | null {
  return (
    bomCharset(bytes) ??
    canonicalCharset(/charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType ?? '')?.[1]) ??
    fromMarkup(bytes)
  )
}

export function bomCharset(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  return null
}

export function isSupported(encoding: string): boolean {
  return canonicalCharset(encoding) !== null
}

/** The standard's name for a label (`latin1` is `windows-1252`); null for labels nobody knows. */
function canonicalCharset(label: string | undefined): string | null {
  if (label === undefined) return null
  try {
    return new TextDecoder(label.trim()).encoding
  } catch {
    return null
  }
}

function fromMarkup(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PRESCAN_BYTES))
  const text = head.toString('latin1')
  const xml = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']\s*([^"'>\s]+)/.exec(text)?.[1]
  for (const label of [xml, ...prescanMeta(text)]) {
    const charset = canonicalCharset(label)
    // Whoever could read this far in ASCII is not reading UTF-16.
    if (charset?.startsWith('utf-16')) return 'utf-8'
    if (charset === 'x-user-defined') return 'windows-1252'
    if (charset !== null) return charset
  }
  return null
}

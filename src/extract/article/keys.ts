import type { Page } from '../page.ts'
import type { Declared } from './structured.ts'

/** Letters and digits only, lower case, single spaces. */
export function keyOf(text: string): string {
  const lower = text.toLowerCase()
  return (
    (lower.length <= maxPlain ? plainKey(lower) : null) ??
    lower.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  )
}

const maxPlain = 1_000
const plain = Buffer.alloc(maxPlain)
const isWritten = Uint8Array.from({ length: 256 }, (_, code) =>
  /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? 1 : 0,
)

/** The same for western letters, byte by byte, which is faster; null when the text has others. */
function plainKey(lower: string): string | null {
  let length = 0
  let gap = false
  for (let i = 0; i < lower.length; i++) {
    const code = lower.charCodeAt(i)
    if (code < 256 ? isWritten[code] === 1 : !isPunctuation(code)) {
      if (code >= 256) return null
      // A gap is as long as one character at least, so there is always room.
      if (gap && length > 0) plain[length++] = 32
      plain[length++] = code
      gap = false
    } else gap = true
  }
  return plain.toString('latin1', 0, length)
}

/** Dashes, curly quotes and blanks beyond the first 256 characters. */
function isPunctuation(code: number): boolean {
  return code >= 0x2000 && code <= 0x206f
}

/** Every way the head spells the title, whole and in parts. */
export function titleKeys(page: Page, declared: Declared): string[] {
  const raw = [
    page.scan.title,
    declared.metas.get('og:title'),
    declared.metas.get('twitter:title'),
    declared.article?.['headline'],
  ]
  const keys = new Set<string>()
  for (const declaredTitle of raw) {
    if (typeof declaredTitle !== 'string') continue
    const title = declaredTitle.slice(0, 500)
    keys.add(keyOf(title))
    for (const part of title.split(/\s+[-–—|»·:]\s+/)) if (part.length > 12) keys.add(keyOf(part))
  }
  keys.delete('')
  return [...keys]
}

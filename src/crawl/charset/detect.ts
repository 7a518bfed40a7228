import { isAscii, isUtf8 as isWellFormed } from 'node:buffer'
import { bomCharset, declaredCharset, isSupported } from './declared.ts'
import { decodeAs } from './decode.ts'
import { guessCharset } from './guess.ts'
import { utf8Evidence, utf16WithoutBom } from './unicode.ts'

const CJK = new Set(['shift_jis', 'euc-jp', 'iso-2022-jp', 'euc-kr', 'gbk', 'gb18030', 'big5'])

/**
 * The encoding a page is really in, as a WHATWG name. A byte order mark settles it; text that is valid UTF-8
 * is UTF-8 whatever was declared; then the declaration, if the bytes fit it; then letter statistics.
 */
export function detectCharset(bytes: Uint8Array, contentType: string | null): string {
  const sure = bomCharset(bytes) ?? utf16WithoutBom(bytes)
  if (sure !== null) return sure
  const declared = declaredCharset(bytes, contentType)
  // The common cases by the system's own quick checks; counting bytes is for the doubtful ones.
  if (isAscii(bytes)) return asciiCharset(bytes, declared)
  if ((declared === null || !CJK.has(declared)) && isWellFormed(bytes)) return 'utf-8'
  const utf8 = utf8Evidence(bytes)
  if (utf8.highBytes === 0) return asciiCharset(bytes, declared)
  if (isUtf8(utf8, declared)) return 'utf-8'
  if (declared === null || declared === 'utf-8') return guessCharset(bytes)
  if (declared === 'windows-1252') return latinOrGuess(bytes, utf8.highBytes)
  return CJK.has(declared) && !fits(bytes, declared) ? guessCharset(bytes) : declared
}

/** The text of a body, without byte order mark; undecodable bytes become U+FFFD. */
export function decodeBody(
  bytes: Uint8Array,
  contentType: string | null,
): { text: string; encoding: string } {
  const detected = detectCharset(bytes, contentType)
  const encoding = isSupported(detected) ? detected : 'utf-8'
  return { text: decodeAs(bytes, encoding), encoding }
}

const JAPANESE_ESCAPES = ['\u001B$@', '\u001B$B', '\u001B(J', '\u001B(I']

// Only escape sequences tell ISO-2022-JP from plain ASCII.
function asciiCharset(bytes: Uint8Array, declared: string | null): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (JAPANESE_ESCAPES.some((escape) => buffer.includes(escape))) return 'iso-2022-jp'
  return declared === null || declared === 'iso-2022-jp' ? 'utf-8' : declared
}

function isUtf8(
  utf8: { sequences: number; long: number; errors: number },
  declared: string | null,
): boolean {
  if (utf8.errors > 0) {
    // A few cut characters in a page that is UTF-8 everywhere else.
    return utf8.sequences > utf8.errors * (declared === 'utf-8' ? 2 : 20)
  }
  // Two or three pairs can be valid by chance where pairs are the rule.
  const byChance = declared !== null && CJK.has(declared) && utf8.long === 0 && utf8.sequences < 4
  return utf8.sequences > 0 && !byChance
}

// "ISO-8859-1" is what servers say when nobody told them: believe it of text that is mostly ASCII.
function latinOrGuess(bytes: Uint8Array, highBytes: number): string {
  return highBytes > bytes.length / 5 ? guessCharset(bytes) : 'windows-1252'
}

function fits(bytes: Uint8Array, encoding: string): boolean {
  const text = decodeAs(bytes, encoding)
  return (text.match(/\uFFFD/g)?.length ?? 0) <= text.length / 200
}

// What windows-1252 puts where Latin-1 has control characters, 0x80 to 0x9F.
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ'

/**
 * Decodes by the WHATWG encoding's name, dropping a byte order mark. Not left to TextDecoder alone: in several
 * Node releases it reads windows-1252 as Latin-1 and loses every curly quote, dash and euro sign.
 */
export function decodeAs(bytes: Uint8Array, encoding: string): string {
  if (encoding !== 'windows-1252') return new TextDecoder(encoding).decode(bytes)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('latin1')
    .replace(/[\x80-\x9F]/g, (char) => WINDOWS_1252.charAt(char.charCodeAt(0) - 0x80))
}

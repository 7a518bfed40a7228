const UTF16_SAMPLE_BYTES = 4096

/** UTF-16 without a mark shows as a zero in every other byte of its ASCII characters. */
export function utf16WithoutBom(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const pairs = Math.min(bytes.length, UTF16_SAMPLE_BYTES) >> 1
  if (pairs < 4) return null
  let first = 0
  let second = 0
  for (let pair = 0; pair < pairs; pair += 1) {
    if (bytes[pair * 2] === 0) first += 1
    if (bytes[pair * 2 + 1] === 0) second += 1
  }
  if (second > pairs / 4 && first < second / 20) return 'utf-16le'
  if (first > pairs / 4 && second < first / 20) return 'utf-16be'
  return null
}

/** Counts well-formed multi-byte sequences against bytes that fit none; a cut last character is no error. */
export function utf8Evidence(bytes: Uint8Array): {
  highBytes: number
  sequences: number
  long: number
  errors: number
} {
  let highBytes = 0
  let sequences = 0
  let long = 0
  let errors = 0
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80) {
      at += 1
      continue
    }
    const size = sequenceSize(bytes, at)
    highBytes += Math.max(size, 1)
    if (size > 1) {
      sequences += 1
      if (size > 2) long += 1
    } else if (size === 0) {
      errors += 1
    }
    at += Math.max(size, 1)
  }
  return { highBytes, sequences, long, errors }
}

/** Bytes of the character at `at`; 0 when malformed, 1 when the text ends inside it. */
function sequenceSize(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  const size =
    lead >= 0xc2 && lead < 0xe0
      ? 2
      : lead >= 0xe0 && lead < 0xf0
        ? 3
        : lead >= 0xf0 && lead < 0xf5
          ? 4
          : 0
  for (let index = 1; index < size; index += 1) {
    const byte = bytes[at + index]
    if (byte === undefined) return 1
    if (byte < (index === 1 ? lowestSecond(lead) : 0x80)) return 0
    if (byte > (index === 1 ? highestSecond(lead) : 0xbf)) return 0
  }
  return size
}

function lowestSecond(lead: number): number {
  return lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
}

function highestSecond(lead: number): number {
  return lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
}

/** For each three signs in a row, one bit per group that may be meant by them. */
export interface SignTable {
  atStart: Uint16Array
  anywhere: Uint16Array
  /** The same for a single kind of sign. */
  single: Uint16Array
  /** Whether any three signs of the other two tables end in these two: small, so that most texts need no other. */
  endings: Uint8Array
}

// Letters are 1 to 26; what else is written falls into a few kinds.
const blank = 27
const other = 28
const foreign = 29
const digit = 30
const sign = 31

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (/[a-z]/i.test(char)) return code & 31
  if (/\d/.test(char)) return digit
  return char === ' ' ? blank : char === '$' ? sign : other
})

/** The groups a text may belong to: all that it does, and few that it does not. One pass without a pattern. */
export function signsIn(text: string, table: SignTable): number {
  const { atStart, anywhere, single, endings } = table
  let mask = 0
  let lastFour = 0
  for (let i = 0; i < text.length; i++) {
    const kind = kindOf(text.charCodeAt(i))
    lastFour = ((lastFour << 5) | kind) & 0xfffff
    if (kind >= digit) mask |= single[kind] ?? 0
    if (endings[lastFour & 0x3ff] === 0) continue
    const three = lastFour & 0x7fff
    const before = lastFour >> 15
    mask |= anywhere[three] ?? 0
    if (before === 0 || before >= blank) mask |= atStart[three] ?? 0
  }
  return mask
}

/** Bits in the order of the groups. */
export function signTable(groups: readonly { starts: string; parts?: string }[]): SignTable {
  const table: SignTable = {
    atStart: new Uint16Array(1 << 15),
    anywhere: new Uint16Array(1 << 15),
    single: new Uint16Array(32),
    endings: new Uint8Array(1 << 10),
  }
  for (const [bit, { starts, parts = '' }] of groups.entries()) {
    for (const start of wordsOf(starts)) add(table, table.atStart, start, bit)
    for (const part of wordsOf(parts))
      add(table, part.length === 1 ? table.single : table.anywhere, part, bit)
  }
  return table
}

function add({ endings }: SignTable, to: Uint16Array, signs: string, bit: number): void {
  let at = 0
  for (const char of signs.replaceAll('_', ' ')) at = (at << 5) | kindOf(char.charCodeAt(0))
  to[at] = (to[at] ?? 0) | (1 << bit)
  endings[at & 0x3ff] = 1
}

function wordsOf(list: string): string[] {
  return list.split(' ').filter((word) => word !== '')
}

function kindOf(code: number): number {
  if (code < 128) return kinds[code] ?? other
  return code === 0xa9 || code === 0xa3 || code === 0xa5 || code === 0x20ac ? sign : foreign
}

export interface SignedGroup {
  starts: string
  parts?: string
  pattern: RegExp
}

/** For each three signs in a row, one bit per group that may be meant by them. */
export interface SignTable {
  atStart: Uint16Array
  anywhere: Uint16Array
  /** The same for a single kind of sign. */
  single: Uint16Array
  /** Which of the first two tables have three signs that end in these two: small, so that most texts need no other. */
  endings: Uint8Array
  patterns: RegExp[]
  /** The same patterns for one place in a text only. */
  patternsAt: RegExp[]
}

// Letters are 1 to 26; what else is written falls into a few kinds.
const blank = 27
const other = 28
const foreign = 29
const digit = 30
const sign = 31

const endsStart = 1
const endsPart = 2

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (/[a-z]/i.test(char)) return code & 31
  if (/\d/.test(char)) return digit
  return char === ' ' ? blank : char === '$' ? sign : other
})

/**
 * One bit per group whose pattern finds something. A pattern is tried where a word begins like one of its own, and on the
 * whole text only when a part of what it finds stands somewhere.
 */
export function findSigned(text: string, table: SignTable): number {
  const { atStart, anywhere, single, endings, patterns, patternsAt } = table
  let found = 0
  let possible = 0
  let lastFour = 0
  for (let i = 0; i < text.length; i++) {
    const kind = kindOf(text.charCodeAt(i))
    lastFour = ((lastFour << 5) | kind) & 0xfffff
    if (kind >= digit) possible |= single[kind] ?? 0
    const ending = endings[lastFour & 0x3ff] ?? 0
    if (ending === 0) continue
    const three = lastFour & 0x7fff
    const before = lastFour >> 15
    if ((ending & endsPart) !== 0) possible |= anywhere[three] ?? 0
    if ((ending & endsStart) !== 0 && (before === 0 || before >= blank))
      found |= matching((atStart[three] ?? 0) & ~found, patternsAt, text, i - 2)
  }
  return found | matching(possible & ~found, patterns, text, 0)
}

function matching(groups: number, patterns: readonly RegExp[], text: string, at: number): number {
  let found = 0
  for (let bit = 0, left = groups; left !== 0; bit++, left >>>= 1) {
    const pattern = (left & 1) === 1 ? patterns[bit] : undefined
    if (pattern === undefined) continue
    pattern.lastIndex = at
    if (pattern.test(text)) found |= 1 << bit
  }
  return found
}

/** Bits in the order of the groups. */
export function signTable(groups: readonly SignedGroup[]): SignTable {
  const table: SignTable = {
    atStart: new Uint16Array(1 << 15),
    anywhere: new Uint16Array(1 << 15),
    single: new Uint16Array(32),
    endings: new Uint8Array(1 << 10),
    patterns: groups.map(({ pattern }) => pattern),
    patternsAt: groups.map(({ pattern }) => new RegExp(pattern.source, `${pattern.flags}y`)),
  }
  for (const [bit, { starts, parts = '' }] of groups.entries()) {
    for (const start of wordsOf(starts)) add(table.atStart, start, bit, table.endings, endsStart)
    for (const part of wordsOf(parts))
      if (part.length === 1) add(table.single, part, bit)
      else add(table.anywhere, part, bit, table.endings, endsPart)
  }
  return table
}

function add(to: Uint16Array, signs: string, bit: number, endings?: Uint8Array, ends = 0): void {
  let at = 0
  for (const char of signs.replaceAll('_', ' ')) at = (at << 5) | kindOf(char.charCodeAt(0))
  to[at] = (to[at] ?? 0) | (1 << bit)
  if (endings !== undefined) endings[at & 0x3ff] = (endings[at & 0x3ff] ?? 0) | ends
}

function wordsOf(list: string): string[] {
  return list.split(' ').filter((word) => word !== '')
}

function kindOf(code: number): number {
  if (code < 128) return kinds[code] ?? other
  return code === 0xa9 || code === 0xa3 || code === 0xa5 || code === 0x20ac ? sign : foreign
}

import { type Lexicon, type Meaning, NOTHING } from './lexicon.ts'

export interface Token {
  kind: 'word' | 'number' | 'mark'
  /** Lower case, without accents; marks are normalized to one character. */
  text: string
  start: number
  end: number
  /** Numbers only. */
  value: number
  /** White space before it. */
  spaced: boolean
  means: Meaning
}

const PIECE =
  /(?<year>'\d\d(?![\d:]))|(?<sword>'[sS](?=\s|$))|(?<number>\d+)|(?<word>\p{L}+\p{M}*(?:[\p{L}\p{M}]+)*)|(?<mark>[^\s])/gu

/** Splits text into words, numbers and marks; linear in the length of the text. */
export function tokenize(text: string, lexicon: Lexicon): Token[] {
  const plain = text.replace(/[‘’‛ʼ`´]/g, "'")
  const tokens: Token[] = []
  let previousEnd = 0
  for (const match of plain.matchAll(PIECE)) {
    const raw = match[0]
    const start = match.index
    const spaced = start > previousEnd || start === 0
    previousEnd = start + raw.length
    const groups = match.groups ?? {}
    if (groups['number'] !== undefined) {
      tokens.push(token('number', raw, start, Number(raw), spaced, NOTHING))
    } else if (groups['year'] !== undefined) {
      tokens.push(token('number', raw, start, Number(raw.slice(1)), spaced, NOTHING))
    } else if (groups['mark'] !== undefined) {
      const mark = markOf(raw)
      tokens.push(
        token('mark', mark, start, Number.NaN, spaced, lexicon.get(mark) ?? NOTHING, raw.length),
      )
    } else {
      pushWord(tokens, raw, start, spaced, lexicon)
    }
  }
  return tokens
}

function token(
  kind: Token['kind'],
  text: string,
  start: number,
  value: number,
  spaced: boolean,
  means: Meaning,
  length = text.length,
): Token {
  return { kind, text, start, end: start + length, value, spaced, means }
}

/** Dutch writes "vrijdagavond" as one word: it becomes the day and the part of the day. */
function pushWord(
  tokens: Token[],
  raw: string,
  start: number,
  spaced: boolean,
  lexicon: Lexicon,
): void {
  const word = foldWord(raw)
  const means = lexicon.get(word)
  if (means === undefined && word.length === raw.length && word.length > 6) {
    for (const part of lexicon.suffixes) {
      const head = lexicon.get(word.slice(0, -part.length))
      if (!word.endsWith(part) || head === undefined) continue
      if (head.weekday === undefined && head.offset === undefined) continue
      const cut = word.length - part.length
      tokens.push(token('word', word.slice(0, cut), start, Number.NaN, spaced, head))
      tokens.push(
        token('word', part, start + cut, Number.NaN, false, {
          part: lexicon.get(part)?.part ?? 'morning',
        }),
      )
      return
    }
  }
  tokens.push(token('word', word, start, Number.NaN, spaced, means ?? NOTHING, raw.length))
}

function foldWord(raw: string): string {
  return raw.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function markOf(raw: string): string {
  if (/[–—−‐‑‒―]/.test(raw)) return '-'
  if (/[•·∙|¦]/.test(raw)) return '|'
  if (/[~∼]/.test(raw)) return '~'
  return raw
}

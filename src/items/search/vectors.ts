import { textArray } from '../../db/arrays.ts'
import type { Tx } from '../../db/pool.ts'
import type { Fields } from '../changes.ts'

/** What is searched of an item, as item_search() of the database takes it. */
export interface SearchText {
  language: string
  title: string
  names: string
  body: string
}

/** By the item's id. */
export type Vectors = ReadonlyMap<string, string | null>

/** What the server makes of one stretch between two spaces. */
interface Piece {
  /** As a vector's text has them before the place: quoted and with a colon. */
  lexemes: readonly string[]
  /** The place of each, counted from 1. */
  at: readonly number[]
  /** Places it takes up: words that are not searched for count too. */
  length: number
}

interface Part {
  language: string
  stretches: readonly string[]
  pieces: (Piece | undefined)[]
  weight: string
}

const mostKnown = 60_000
const longestKept = 40
/** As item_search() cuts it. */
const mostBodyChars = 20_000
const lastPlace = 16_383
/** To search_config() no language at all: names, kept as written. */
const asWritten = ''
/** Tags go on after spaces, and a tilde begins a path only at the beginning of a text. */
const beyondSpaces = /[<~]/

const known = new Map<string, Map<string, Piece>>()

export async function vectorsById<T extends { id: string }>(
  tx: Tx,
  rows: readonly T[],
  textOf: (row: T) => SearchText,
): Promise<Vectors> {
  const vectors = await searchVectors(tx, rows.map(textOf))
  return new Map(rows.map((row, index) => [row.id, vectors[index] ?? null]))
}

/** The named fields that are told, and the tags. */
export function namesOf(fields: Fields, names: readonly string[]): string {
  const told = names.map((name) => fields[name] as string | null)
  return [...told, ...(fields['tags'] as string[])].filter((text) => text !== null).join(' ')
}

/**
 * Search vectors as the texts of tsvector, the same that item_search() makes, for a third of the server's time: its
 * parser weighs every letter, and the words of all items are mostly the same. So it is asked once for each stretch
 * between spaces. Null where the parser may look beyond a space: leave it to the server.
 */
export async function searchVectors(
  tx: Tx,
  texts: readonly SearchText[],
): Promise<(string | null)[]> {
  const read = texts.map(partsOf)
  const gaps = read.flatMap((parts) => parts ?? []).filter(hasGaps)
  if (gaps.length > 0) await fillGaps(tx, gaps)
  return read.map((parts) => (parts === null ? null : vectorOf(parts)))
}

function partsOf({ language, title, names, body }: SearchText): readonly Part[] | null {
  if (body.length > mostBodyChars || [title, names, body].some((text) => beyondSpaces.test(text)))
    return null
  return [
    part(language, title, 'A '),
    part(asWritten, `${title} ${names}`, 'B '),
    part(language, body, ' '),
  ]
}

function part(language: string, text: string, weight: string): Part {
  const table = known.get(language)
  const stretches = text.split(/[ \n\r\t]+/)
  return { language, stretches, pieces: stretches.map((stretch) => table?.get(stretch)), weight }
}

function hasGaps({ pieces }: Part): boolean {
  return pieces.includes(undefined)
}

async function fillGaps(tx: Tx, gaps: readonly Part[]): Promise<void> {
  const wanted = new Map<string, { language: string; stretch: string }>()
  for (const { language, stretches, pieces } of gaps) {
    for (const [index, stretch] of stretches.entries())
      if (pieces[index] === undefined) wanted.set(`${language} ${stretch}`, { language, stretch })
  }
  const made = await askServer(tx, [...wanted.values()])
  for (const { language, stretches, pieces } of gaps) {
    for (const [index, stretch] of stretches.entries())
      pieces[index] ??= made.get(`${language} ${stretch}`)
  }
}

/** What the server makes of stretches nobody asked for yet. */
async function askServer(
  tx: Tx,
  wanted: readonly { language: string; stretch: string }[],
): Promise<ReadonlyMap<string, Piece>> {
  // The number behind it tells how many places the stretch took up.
  const rows = await tx<{ vector: string }[]>`
    select to_tsvector(search_config(language), ' ' || stretch || ' 7777777')::text as vector
    from unnest(${textArray(wanted.map(({ language }) => language))}::text[],
      ${textArray(wanted.map(({ stretch }) => stretch))}::text[]) as w(language, stretch)`
  if ([...known.values()].reduce((sum, table) => sum + table.size, 0) > mostKnown) known.clear()
  const made = new Map<string, Piece>()
  for (const [index, { language, stretch }] of wanted.entries()) {
    const piece = pieceOf(rows[index]?.vector ?? '')
    made.set(`${language} ${stretch}`, piece)
    if (stretch.length > longestKept) continue
    const table = known.get(language)
    if (table === undefined) known.set(language, new Map([[stretch, piece]]))
    else table.set(stretch, piece)
  }
  return made
}

function pieceOf(vector: string): Piece {
  const found = [...vector.matchAll(/('(?:[^']|'')+':)([\d,]+)/g)].flatMap(
    ([, lexeme = '', places = '']) =>
      places.split(',').map((place) => ({ lexeme, at: Number(place) })),
  )
  const last = Math.max(...found.map(({ at }) => at))
  const own = found.filter(({ at }) => at < last)
  return {
    lexemes: own.map(({ lexeme }) => lexeme),
    at: own.map(({ at }) => at),
    length: last - 1,
  }
}

/**
 * The parts one after the other; each begins behind the last word of those before that is searched for. A word that
 * comes again is written again: the server puts its places together.
 */
function vectorOf(parts: readonly Part[]): string {
  let text = ''
  let last = 0
  for (const { pieces, weight } of parts) {
    let before = last
    for (const piece of pieces) {
      if (piece === undefined) continue
      const { lexemes, at, length } = piece
      for (let index = 0; index < lexemes.length; index++) {
        const place = Math.min(before + (at[index] as number), lastPlace)
        if (place > last) last = place
        text += (lexemes[index] as string) + place + weight
      }
      before += length
    }
  }
  return text
}

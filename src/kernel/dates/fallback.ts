import { createRequire } from 'node:module'
import type * as chrono from 'chrono-node'
import type { DateMatch, DateOptions } from './types.ts'

type Parser = Pick<chrono.Chrono, 'parse'>

const LANGUAGES = ['en', 'nl', 'de', 'fr', 'es', 'it']
const require = createRequire(import.meta.url)
const parsers = new Map<string, Parser>()

/** What the own grammar does not cover, read by chrono-node in the languages it carries. */
export function findWithLibrary(text: string, options: DateOptions): DateMatch[] {
  // Without a number it is a word that only looks like a date ("Ma", "may").
  if (!/\d/.test(text)) return []
  const [year = 1970, month = 1, day = 1, hour = 0, minute = 0] = (
    options.ref.match(/\d+/g) ?? []
  ).map(Number)
  const instant = new Date(year, month - 1, day, hour, minute)
  for (const name of languagesFor(options.lang)) {
    const found = parserOf(name).parse(text, { instant }, { forwardDate: true })
    // Where the grammar is at home, what it refused inside a text stays refused ("1/2 pizza").
    const least = name === 'nl' || name === 'en' ? 0.8 * text.trim().length : 0
    const matches = found
      .filter(({ text: said }) => /\d/.test(said) && said.length >= least)
      .flatMap((result) => toMatch(result) ?? [])
    if (matches.length > 0) return matches
  }
  return []
}

/** Each language is loaded when its first text comes: all of them are a fifth of a second, and most threads need none. */
function parserOf(language: string): Parser {
  let parser = parsers.get(language)
  if (parser === undefined) {
    parser = (require(`chrono-node/${language}`) as { casual: Parser }).casual
    parsers.set(language, parser)
  }
  return parser
}

function languagesFor(lang: string | null | undefined): string[] {
  const base = lang?.slice(0, 2).toLowerCase()
  if (base === undefined || !LANGUAGES.includes(base)) return ['nl', 'en']
  return base === 'en' ? ['en'] : [base, 'en']
}

function toMatch(result: chrono.ParsedResult): DateMatch | null {
  const known = ['day', 'weekday', 'month'].filter((unit) => result.start.isCertain(unit as 'day'))
  if (known.length === 0 && !result.start.isCertain('hour')) return null
  const end = result.end ?? null
  return {
    start: localOf(result.start),
    end: end === null ? null : localOf(end),
    allDay: !result.start.isCertain('hour'),
    certainty: result.start.isCertain('year') ? 0.7 : 0.5,
    text: result.text,
    index: result.index,
  }
}

function localOf(parts: chrono.ParsedComponents): string {
  const pad = (value: number | null, width = 2): string => String(value ?? 0).padStart(width, '0')
  const date = `${pad(parts.get('year'), 4)}-${pad(parts.get('month'))}-${pad(parts.get('day'))}`
  return parts.isCertain('hour')
    ? `${date}T${pad(parts.get('hour'))}:${pad(parts.get('minute'))}`
    : date
}

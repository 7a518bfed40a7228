import { parseDateText } from '../../kernel/dates/index.ts'

/** Reads one date text against its reference date. */
export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const lang = typeof input['lang'] === 'string' ? input['lang'] : null
  const match = parseDateText(String(input['text']), {
    ref: String(input['ref']),
    lang,
    vagueHours: true,
  })
  if (match === null) return { start: null }
  return match.end === null ? { start: match.start } : { start: match.start, end: match.end }
}

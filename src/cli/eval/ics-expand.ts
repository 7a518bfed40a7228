import { expandIcs } from '../../extract/ics/expand.ts'
import { parseIcs } from '../../extract/ics/parse.ts'

/** Expands one calendar file within a window. */
export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const from = new Date(String(input['from']))
  const to = new Date(String(input['to']))
  const occurrences = expandIcs(parseIcs(String(input['ics'])), from, to)
  return { occurrences: occurrences.map(({ uid, start }) => ({ uid, start })) }
}

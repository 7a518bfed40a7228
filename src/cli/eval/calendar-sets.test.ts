import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { EvalSet } from '../eval.ts'
import * as datesCasual from './dates-casual.ts'
import * as dates from './dates.ts'
import * as icsExpand from './ics-expand.ts'
import * as ics from './ics.ts'

const EVAL = new URL('../../../../shared/eval/', import.meta.url)
const SETS: [name: string, aim: number, set: EvalSet][] = [
  ['dates', 0.95, dates],
  ['dates-casual', 0.55, datesCasual],
  ['ics', 0.985, ics],
  ['ics-expand', 0.98, icsExpand],
]

interface Case {
  id: string
  input: Record<string, unknown>
}

interface Scorer {
  one(one: Case, answer: unknown): { score: number }
}

const found = existsSync(new URL('dev/dates/cases.jsonl', EVAL))

describe.skipIf(!found)(
  'evaluation sets of dates and calendar files (skipped without ../shared/eval)',
  () => {
    it.each(SETS)('%s reaches its aim of %s', async (name, aim, set) => {
      const { scorers } = (await import(new URL('scorer/scorers.mjs', EVAL).href)) as {
        scorers: Record<string, Scorer>
      }
      const folder = new URL(`dev/${name}/`, EVAL)
      // Large files are stored compressed; scoring them takes longer than reading them.
      const cases = readFileSync(new URL('cases.jsonl', folder), 'utf8')
        .trim()
        .split('\n')
        .filter((line) => !line.includes('.ics.gz"'))
      let total = 0
      for (const line of cases) {
        const one = JSON.parse(line) as Case
        const answer = await set.answer(withFiles(one.input, folder))
        total += scorers[name]?.one(one, answer).score ?? 0
      }
      expect(total / cases.length).toBeGreaterThanOrEqual(aim)
    })
  },
)

function withFiles(input: Record<string, unknown>, folder: URL): Record<string, unknown> {
  const entries = Object.entries(input).map(([key, value]): [string, unknown] => {
    const file =
      typeof value === 'object' && value !== null && '$file' in value ? String(value.$file) : null
    if (file === null) return [key, value]
    const bytes = readFileSync(new URL(file, folder))
    return [key, (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')]
  })
  return Object.fromEntries(entries)
}

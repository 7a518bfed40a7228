import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { evalFolder, scoreSets } from '../../scripts/eval/score-sets.ts'

// Every article page takes a minute (`npm run eval`); an even sample of the same ones holds the line here.
const sample = 40

describe.skipIf(!existsSync(evalFolder))('evaluation sets (skipped without ../shared/eval)', () => {
  it('every set reaches its aim through `millrace eval`', { timeout: 180_000 }, async () => {
    const scores = await scoreSets({ sets: [], sample })
    expect(scores.filter(({ score, aim }) => score < aim)).toEqual([])
    expect(scores.length).toBeGreaterThan(17)
  })
})

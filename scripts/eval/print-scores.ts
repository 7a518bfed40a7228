import Table from 'cli-table3'
import type { SetScore } from './score-sets.ts'

export function printScores(scores: readonly SetScore[]): void {
  const table = new Table({ head: ['set', 'cases', 'score', 'aim', 'ms a case', ''] })
  for (const { name, cases, score, aim, ms } of scores)
    table.push([
      name,
      cases,
      score.toFixed(4),
      aim.toFixed(3),
      ms === null ? '' : ms.toFixed(1),
      score >= aim ? 'reached' : 'BELOW',
    ])
  console.log(table.toString())
  const below = scores.filter(({ score, aim }) => score < aim)
  console.log(below.length === 0 ? 'Every aim is reached.' : `${below.length} below their aim.`)
}

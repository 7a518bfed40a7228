// Scores every evaluation set through `millrace eval` against its aim: `npm run eval [-- --sample=40] [set ...]`.
import { existsSync } from 'node:fs'
import { evalFolder, scoreSets } from './eval/score-sets.ts'
import { printScores } from './eval/print-scores.ts'

if (!existsSync(evalFolder)) {
  console.log('../shared/eval is not here: nothing to score, skipped.')
} else {
  const args = process.argv.slice(2)
  const sample = Number(
    /^--sample=(\d+)$/.exec(args.find((arg) => arg.startsWith('--')) ?? '')?.[1],
  )
  const scores = await scoreSets({
    sets: args.filter((arg) => !arg.startsWith('--')),
    sample: Number.isNaN(sample) ? null : sample,
  })
  printScores(scores)
  if (scores.some(({ score, aim }) => score < aim)) process.exitCode = 1
}

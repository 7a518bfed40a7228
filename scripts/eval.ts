// Runs one evaluation set from the sources: `tsx scripts/eval.ts dates < cases.jsonl`.
import { runEval } from '../src/cli/eval.ts'

await runEval(process.argv[2] ?? '')

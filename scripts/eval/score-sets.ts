import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packagePath } from '../../src/kernel/package-root.ts'
import { aims } from './aims.ts'

export interface SetScore {
  name: string
  cases: number
  score: number
  aim: number
  /** Per case, as the product itself measured it. */
  ms: number | null
}

export const evalFolder = fileURLToPath(new URL('../../../shared/eval/', import.meta.url))

/** Runs the scorer of the evaluation data on each set; of whole web pages, when asked, only on an even sample. */
export async function scoreSets(options: {
  sets: readonly string[]
  sample: number | null
}): Promise<SetScore[]> {
  const chosen = aims.filter(({ set }) => options.sets.length === 0 || options.sets.includes(set))
  const folder = mkdtempSync(join(tmpdir(), 'millrace-eval-'))
  try {
    const outputs = new Map<string, string>()
    for (const set of new Set(chosen.map((aim) => aim.set))) {
      const cases =
        options.sample === null || !set.startsWith('article-')
          ? join(evalFolder, 'dev', set)
          : sampled(set, options.sample, folder)
      outputs.set(set, await runScorer(set, cases))
    }
    return chosen.map(({ set, aim, part }) => {
      const output = outputs.get(set) ?? ''
      const score =
        part === undefined ? output.trim().split('\n').at(-1) : part.pattern.exec(output)?.[1]
      return {
        name: part === undefined ? set : `${set}: ${part.name}`,
        cases: Number(/\bcases (\d+)/.exec(output)?.[1] ?? 0),
        score: Number(score ?? 0) || 0,
        aim,
        ms: Number(/mean ([\d.]+) ms/.exec(output)?.[1] ?? NaN) || null,
      }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Every n-th case, so that the same cases are scored every time and every group has its share. */
function sampled(set: string, count: number, folder: string): string {
  const from = join(evalFolder, 'dev', set)
  const lines = readFileSync(join(from, 'cases.jsonl'), 'utf8').trim().split('\n')
  const step = Math.max(1, Math.floor(lines.length / count))
  const target = join(folder, set)
  mkdirSync(target)
  symlinkSync(join(from, 'files'), join(target, 'files'))
  const chosen = lines.filter((_, index) => index % step === 0)
  writeFileSync(join(target, 'cases.jsonl'), `${chosen.join('\n')}\n`)
  return target
}

function runScorer(set: string, cases: string): Promise<string> {
  const command = `${process.execPath} --import tsx scripts/eval.ts ${set}`
  return new Promise((resolve, reject) => {
    const scorer = spawn(
      process.execPath,
      [join(evalFolder, 'scorer', 'score.mjs'), set, cases, command],
      {
        cwd: packagePath('.'),
        env: { ...process.env, TZ: 'UTC' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let output = ''
    scorer.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    scorer.on('error', reject)
    scorer.on('close', () => resolve(output))
  })
}

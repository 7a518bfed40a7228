// Learns the block model from the development cases and writes src/extract/article/model-data.ts.
// `tsx scripts/article-model/train.ts [check|write]`; `check` prints cross-validated scores only.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { featureCount } from '../../src/extract/article/features.ts'
import { packForest, predict, type Forest } from '../../src/extract/article/forest.ts'
import { selectBlocks } from '../../src/extract/article/select.ts'
import { boost, type BoostOptions } from './boost.ts'
import { evalFolder, loadPages, type TrainingPage } from './cases.ts'

const options: BoostOptions = {
  trees: Number(process.env['TREES'] ?? 150),
  leaves: Number(process.env['LEAVES'] ?? 24),
  rate: Number(process.env['RATE'] ?? 0.08),
  rowShare: 0.7,
  columnShare: Number(process.env['COL'] ?? 0.3),
  minWeight: Number(process.env['MINW'] ?? 0.05),
  l2: Number(process.env['L2'] ?? 0.3),
  seed: Number(process.env['SEED'] ?? 7),
}
const folds = 5
const sets = ['article-aeb', 'article-wcxb', 'article-seg']
const setWeight: Record<string, number> = {
  'article-aeb': 1.5,
  'article-wcxb': 1,
  'article-seg': 1,
}

const started = performance.now()
const log = (text: string): void =>
  console.log(`${((performance.now() - started) / 1000).toFixed(0)}s ${text}`)
const pages = loadPages(sets, Number(process.env['SHARE'] ?? 1))
log(
  `${pages.length} pages, ${pages.reduce((sum, page) => sum + page.blocks.length, 0)} blocks, ${featureCount} features`,
)
const fold = pages.map((page) => hash(page.source.group) % folds)

if (process.argv[2] === 'write') {
  const text = `// Learned by scripts/article-model/train.ts; do not edit.\nexport const blockModel =\n  '${packForest(fit(() => true))}'\n`
  writeFileSync(join(import.meta.dirname, '../../src/extract/article/model-data.ts'), text)
  log(`written, ${text.length} characters`)
} else {
  const probability = crossPredict()
  log('cross-validated')
  await report('expected F1', probability, selectBlocks)
  for (const t of [0.4, 0.5, 0.6])
    await report(`fixed ${t}`, probability, (blocks, p) => blocks.map((b) => p[b.index]! > t))
}

function crossPredict(): Float32Array[] {
  const out: Float32Array[] = []
  for (let f = 0; f < folds; f++) {
    const forest = fit((i) => fold[i] !== f)
    pages.forEach((page, i) => {
      if (fold[i] === f)
        out[i] = Float32Array.from(page.blocks, (_, b) =>
          predict(forest, page.rows, b * featureCount),
        )
    })
  }
  return out
}

function fit(use: (page: number) => boolean): Forest {
  const width = featureCount
  let count = 0
  const each = (visit: (page: TrainingPage, block: number) => void): void =>
    pages.forEach((page, i) => {
      if (!use(i)) return
      for (let b = 0; b < page.blocks.length; b++) if (page.weight[b]! > 0) visit(page, b)
    })
  each(() => count++)
  const samples = {
    rows: new Float32Array(count * width),
    width,
    label: new Float32Array(count),
    weight: new Float32Array(count),
  }
  let at = 0
  each((page, block) => {
    samples.rows.set(page.rows.subarray(block * width, (block + 1) * width), at * width)
    samples.label[at] = page.label[block]!
    samples.weight[at] = page.weight[block]! * (setWeight[page.source.set] ?? 1)
    at++
  })
  return boost(samples, options)
}

async function report(
  name: string,
  probability: Float32Array[],
  select: typeof selectBlocks,
): Promise<void> {
  const { scorers } = (await import(join(evalFolder, 'scorer/scorers.mjs'))) as {
    scorers: Record<string, Scorer>
  }
  for (const set of sets) {
    const results: Record<string, unknown>[] = []
    const ideal: Record<string, unknown>[] = []
    pages.forEach((page, i) => {
      if (page.source.set !== set) return
      const keep = select(page.blocks, probability[i]!)
      const body = page.blocks
        .filter((block) => keep[block.index])
        .map((block) => block.text)
        .join('\n')
      results.push({ ...scorers[set]!.one(page.source, { body }), tags: page.source.tags })
      const best = page.blocks
        .filter((block) => page.label[block.index]! > 0.5)
        .map((block) => block.text)
        .join('\n')
      ideal.push({ ...scorers[set]!.one(page.source, { body: best }), tags: page.source.tags })
    })
    const { score, lines } = scorers[set]!.total(results)
    log(
      `${name} ${set} ${score.toFixed(4)} (labels themselves ${scorers[set]!.total(ideal).score.toFixed(4)})\n${lines.join('\n')}`,
    )
  }
}

interface Scorer {
  one(expected: unknown, answer: { body: string }): Record<string, unknown>
  total(rows: Record<string, unknown>[]): { score: number; lines: string[] }
}

function hash(text: string): number {
  let value = 7
  for (const char of text) value = (Math.imul(value, 31) + (char.codePointAt(0) ?? 0)) >>> 0
  return value
}

// Learns the block model from the development cases.
// `tsx scripts/article-model/train.ts check` prints scores cross-validated by site;
// `tsx scripts/article-model/train.ts write` learns from all cases and writes model-data.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { featureCount } from '../../src/extract/article/features.ts'
import { packForest, predict, type Forest } from '../../src/extract/article/forest.ts'
import { selectBlocks } from '../../src/extract/article/select.ts'
import { boost, type BoostOptions } from './boost.ts'
import { evalFolder, loadPages, type TrainingPage } from './cases.ts'

const options: BoostOptions = {
  trees: 200,
  leaves: 16,
  rate: 0.07,
  rowShare: 0.7,
  columnShare: 0.3,
  minWeight: 0.05,
  l2: 0.3,
  seed: 7,
}
const folds = 5
const setWeights: Record<string, number> = {
  'article-aeb': 1.5,
  'article-wcxb': 1,
  'article-seg': 1,
}
const sets = Object.keys(setWeights)
const modelFile = join(import.meta.dirname, '../../src/extract/article/model-data.ts')

const pages = loadPages(sets)
if (process.argv[2] === 'write') {
  const packed = packForest(fit(pages))
  const text = `// Learned by scripts/article-model/train.ts; do not edit.\nexport const blockModel =\n  '${packed}'\n`
  writeFileSync(modelFile, text)
  console.log(`${pages.length} pages, ${featureCount} features, ${text.length} characters written`)
} else {
  await report(crossPredict())
}

/** Predictions for every page by a model that never saw its site. */
function crossPredict(): Map<TrainingPage, Float32Array> {
  const out = new Map<TrainingPage, Float32Array>()
  for (let fold = 0; fold < folds; fold++) {
    const held = pages.filter((page) => hash(page.source.group) % folds === fold)
    const forest = fit(pages.filter((page) => !held.includes(page)))
    for (const page of held) {
      out.set(page, predict(forest, page.columns))
    }
  }
  return out
}

function fit(from: readonly TrainingPage[]): Forest {
  const known = from.flatMap((page) =>
    page.blocks
      .filter(({ index }) => (page.weight[index] ?? 0) > 0)
      .map(({ index }) => ({ page, index })),
  )
  const rows = new Float32Array(known.length * featureCount)
  const label = new Float32Array(known.length)
  const weight = new Float32Array(known.length)
  known.forEach(({ page, index }, at) => {
    const { values, stride } = page.columns
    for (let column = 0; column < featureCount; column++)
      rows[at * featureCount + column] = values[column * stride + index] ?? 0
    label[at] = page.label[index] ?? 0
    weight[at] = (page.weight[index] ?? 0) * (setWeights[page.source.set] ?? 1)
  })
  return boost({ rows, width: featureCount, label, weight }, options)
}

async function report(scores: Map<TrainingPage, Float32Array>): Promise<void> {
  const file = join(evalFolder, 'scorer/scorers.mjs')
  const { scorers } = (await import(file)) as { scorers: Record<string, Scorer> }
  for (const [set, scorer] of Object.entries(scorers)) {
    const rows = pages
      .filter((page) => page.source.set === set)
      .map((page) => {
        const keep = selectBlocks(
          page.blocks,
          scores.get(page) ?? new Float32Array(0),
          page.isArticle,
        )
        const kept = page.blocks.filter(({ index }) => keep[index])
        const body = kept.map(({ text }) => text).join('\n')
        return { ...scorer.one(page.source, { body }), tags: page.source.tags }
      })
    if (rows.length === 0) continue
    const { score, lines } = scorer.total(rows)
    console.log(`${set} ${score.toFixed(4)}\n${lines.join('\n')}`)
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

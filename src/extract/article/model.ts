import type { Block } from './blocks.ts'
import { featureCount } from './features.ts'
import { predict, unpackForest, type Forest } from './forest.ts'
import { blockModel } from './model-data.ts'

let forest: Forest | undefined

/** How likely each block belongs to the main text. */
export function scoreBlocks(blocks: readonly Block[], rows: Float32Array): Float32Array {
  forest ??= unpackForest(blockModel)
  const out = new Float32Array(blocks.length)
  for (let i = 0; i < out.length; i++) out[i] = predict(forest, rows, i * featureCount)
  return out
}

import type { Block } from './blocks.ts'
import { predict, unpackForest, type Forest } from './forest.ts'
import { blockModel } from './model-data.ts'

let forest: Forest | undefined

/** How likely each block belongs to the main text. */
export function scoreBlocks(blocks: readonly Block[], rows: Float32Array): Float32Array {
  forest ??= unpackForest(blockModel)
  return predict(forest, rows, blocks.length)
}

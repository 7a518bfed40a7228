import type { Page } from '../page.ts'
import type { Segmented } from './blocks.ts'
import { sharedColumns } from './columns.ts'
import { featureCount, featuresOf } from './features.ts'
import { predict, unpackForest, type Forest } from './forest.ts'
import { blockModel } from './model-data.ts'
import type { Declared } from './structured.ts'

let forest: Forest | undefined

/** How likely each block belongs to the main text. */
export function scoreBlocks(page: Page, declared: Declared, cut: Segmented): Float32Array {
  forest ??= unpackForest(blockModel)
  const columns = sharedColumns(cut.blocks.length, featureCount)
  return predict(forest, featuresOf(page, declared, cut, columns))
}

import type { Page } from '../page.ts'
import type { Segmented } from './blocks.ts'
import { featureCount, featuresOf } from './features.ts'
import { predict, unpackForest, type Forest } from './forest.ts'
import { blockModel } from './model-data.ts'
import type { Declared } from './structured.ts'

let forest: Forest | undefined
/** Used for page after page: most need a few hundred kilobytes, too much to ask for and clear each time. */
let room = new Float32Array(0)
const mostKept = 1_000_000

/** How likely each block belongs to the main text. */
export function scoreBlocks(page: Page, declared: Declared, cut: Segmented): Float32Array {
  forest ??= unpackForest(blockModel)
  const { length } = cut.blocks
  const rows = featuresOf(page, declared, cut, roomFor(length * featureCount))
  return predict(forest, rows, length)
}

function roomFor(size: number): Float32Array<ArrayBuffer> {
  if (size > mostKept) return new Float32Array(size)
  if (room.length < size) room = new Float32Array(Math.min(mostKept, size * 2))
  return room.subarray(0, size)
}

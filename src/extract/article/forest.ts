import type { Columns } from './columns.ts'

/** Boosted trees in three flat arrays; each tree lies in preorder, so a left child is always the next node. */
export interface Forest {
  /** Index of the first node of each tree. */
  roots: Int32Array
  /** Feature compared at a node; -1 marks a leaf. */
  feature: Int16Array
  /** Threshold of a node (left when the feature is at most this), or the value of a leaf. */
  value: Float32Array
  /** Nodes from a node to its right child. */
  skip: Int16Array
  bias: number
}

/** As many as a number has bits: at each node one bit says for each row whether it is there. */
const rowsAtOnce = 32

/**
 * Probability for each row of features. Neighbours on a page are much alike, so they go down the trees together: less than
 * half the time of one by one, where the processor guesses wrongly at every other node.
 */
export function predict(forest: Forest, columns: Columns): Float32Array {
  const bounds = boundsOf(columns)
  const left = prune(forest, bounds)
  const sums = new Float64Array(columns.count).fill(left.bias)
  // All groups through one tree, then the next: what the processor guessed right once it does again.
  for (let tree = 0; tree < left.roots.length; tree++)
    addTree(left, left.roots[tree] ?? 0, columns, bounds, sums)
  return Float32Array.from(sums, (sum) => 1 / (1 + Math.exp(-sum)))
}

/** The least and the greatest value of each column, in each group of rows and then on the whole page. */
interface Bounds {
  least: Float32Array
  most: Float32Array
  width: number
  /** Where the bounds of the whole page begin; those of a group at its number times the width. */
  whole: number
}

function boundsOf({ values, stride, count, same }: Columns): Bounds {
  const width = same.length
  const whole = Math.ceil(count / rowsAtOnce) * width
  const least = new Float32Array(whole + width).fill(Infinity, whole)
  const most = new Float32Array(whole + width).fill(-Infinity, whole)
  for (let column = 0; column < width; column++) {
    const start = column * stride
    // A column of one value is asked for the page as a whole only.
    const end = same[column] === 1 ? start + 1 : start + count
    for (let from = start, to = column; from < end; from += rowsAtOnce, to += width) {
      const last = Math.min(from + rowsAtOnce, end)
      let low = values[from] ?? 0
      let high = low
      for (let at = from + 1; at < last; at++) {
        const value = values[at] ?? 0
        if (value < low) low = value
        else if (value > high) high = value
      }
      least[to] = low
      most[to] = high
      if (low < (least[whole + column] ?? 0)) least[whole + column] = low
      if (high > (most[whole + column] ?? 0)) most[whole + column] = high
    }
  }
  return { least, most, width, whole }
}

/** What is left of the trees for one page: half of the nodes ask what all of its rows answer alike. */
function prune(forest: Forest, { least, most, whole }: Bounds): Forest {
  const { roots, feature, value, skip } = forest
  if (pruned.feature.length < feature.length) pruned = emptyForest(roots.length, feature.length)
  const left = pruned
  left.bias = forest.bias
  let trees = 0
  let end = 0
  for (let tree = 0; tree < roots.length; tree++) {
    const first = end
    let waiting = 0
    let node = roots[tree] ?? 0
    for (;;) {
      const split = feature[node] ?? -1
      const limit = value[node] ?? 0
      if (split >= 0 && (most[whole + split] ?? 0) <= limit) {
        node++
        continue
      }
      if (split >= 0 && (least[whole + split] ?? 0) > limit) {
        node += skip[node] ?? 1
        continue
      }
      left.feature[end] = split
      left.value[end] = limit
      if (split >= 0) {
        waitingNodes[waiting] = node + (skip[node] ?? 1)
        waitingRows[waiting++] = end++
        node++
        continue
      }
      end++
      if (waiting-- === 0) break
      node = waitingNodes[waiting] ?? 0
      const parent = waitingRows[waiting] ?? 0
      left.skip[parent] = end - parent
    }
    if (end > first + 1) left.roots[trees++] = first
    else left.bias += left.value[first] ?? 0
  }
  return { ...left, roots: left.roots.subarray(0, trees) }
}

/** Adds what one tree gives to each row. */
function addTree(
  { feature, value, skip }: Forest,
  root: number,
  { values, stride, count }: Columns,
  { least, most, width }: Bounds,
  sums: Float64Array,
): void {
  for (let from = 0, bounds = 0; from < count; from += rowsAtOnce, bounds += width) {
    let waiting = 0
    let node = root
    let here = count - from >= rowsAtOnce ? -1 : (1 << (count - from)) - 1
    for (;;) {
      const split = feature[node] ?? -1
      if (split >= 0) {
        const limit = value[node] ?? 0
        // Most columns say the same of all of them.
        if ((most[bounds + split] ?? 0) <= limit) {
          node++
          continue
        }
        const right = node + (skip[node] ?? 1)
        const left =
          (least[bounds + split] ?? 0) > limit
            ? 0
            : here & atMost(values, split * stride + from, limit)
        if (left === 0) {
          node = right
          continue
        }
        node++
        if (left === here) continue
        waitingNodes[waiting] = right
        waitingRows[waiting++] = here & ~left
        here = left
        continue
      }
      addTo(sums, from, here, value[node] ?? 0)
      if (waiting-- === 0) break
      node = waitingNodes[waiting] ?? 0
      here = waitingRows[waiting] ?? 0
    }
  }
}

function emptyForest(trees: number, nodes: number): Forest {
  return {
    bias: 0,
    roots: new Int32Array(trees),
    feature: new Int16Array(nodes),
    value: new Float32Array(nodes),
    skip: new Int16Array(nodes),
  }
}

let pruned = emptyForest(0, 0)

/** More than the deepest tree has levels. */
const mostWaiting = 64
const waitingNodes = new Int32Array(mostWaiting)
const waitingRows = new Int32Array(mostWaiting)

/** One bit per row whose value is not above the limit; without a branch, and four at a time. */
function atMost(values: Float32Array, start: number, limit: number): number {
  let bits = 0
  for (let at = start + rowsAtOnce - 4; at >= start; at -= 4) {
    const first = Number((values[at] ?? 0) <= limit)
    const second = Number((values[at + 1] ?? 0) <= limit)
    const third = Number((values[at + 2] ?? 0) <= limit)
    const fourth = Number((values[at + 3] ?? 0) <= limit)
    bits = (bits << 4) | first | (second << 1) | (third << 2) | (fourth << 3)
  }
  return bits
}

function addTo(sums: Float64Array, from: number, rows: number, leaf: number): void {
  let left = rows
  while (left !== 0) {
    const row = 31 - Math.clz32(left)
    sums[from + row] = (sums[from + row] ?? 0) + leaf
    left &= ~(1 << row)
  }
}

/** Packs a forest into text: bias and counts, then the arrays, base64. */
export function packForest(forest: Forest): string {
  const { roots, feature, value, skip } = forest
  const head = new Float64Array([forest.bias, roots.length, feature.length])
  return Buffer.concat([head, roots, value, feature, skip].map(bytesOf)).toString('base64')
}

export function unpackForest(packed: string): Forest {
  const bytes = new Uint8Array(Buffer.from(packed, 'base64')).buffer
  const [bias = 0, trees = 0, nodes = 0] = new Float64Array(bytes, 0, 3)
  let at = 24
  const take = (size: number): number => {
    const start = at
    at += size
    return start
  }
  return {
    bias,
    roots: new Int32Array(bytes, take(trees * 4), trees),
    value: new Float32Array(bytes, take(nodes * 4), nodes),
    feature: new Int16Array(bytes, take(nodes * 2), nodes),
    skip: new Int16Array(bytes, take(nodes * 2), nodes),
  }
}

function bytesOf(array: Float64Array | Int32Array | Float32Array | Int16Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength)
}

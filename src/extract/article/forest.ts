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

/** Neighbours on a page are much alike: for so many rows most questions have one answer, and are asked once. */
const rowsAtOnce = 16

/** Probability for each of `count` rows of features: a sixth of the questions of sending every row through all trees. */
export function predict(forest: Forest, rows: Float32Array, count: number): Float32Array {
  const width = count === 0 ? 0 : rows.length / count
  const left = emptyLike(forest)
  const least = new Float32Array(width)
  const most = new Float32Array(width)
  const out = new Float32Array(count)
  for (let from = 0; from < count; from += rowsAtOnce) {
    const to = Math.min(count, from + rowsAtOnce)
    spread(rows, from * width, to * width, least, most)
    const trees = prune(forest, least, most, left)
    for (let row = from; row < to; row++) {
      const sum = walk(left, trees, rows, row * width)
      out[row] = 1 / (1 + Math.exp(-sum))
    }
  }
  return out
}

/** The sum of what one row gets from each of the trees. */
function walk(forest: Forest, trees: number, rows: Float32Array, offset: number): number {
  const { roots, feature, value, skip } = forest
  let sum = forest.bias
  for (let tree = 0; tree < trees; tree++) {
    let node = roots[tree] ?? 0
    for (let split = feature[node] ?? -1; split >= 0; split = feature[node] ?? -1) {
      node += (rows[offset + split] ?? 0) <= (value[node] ?? 0) ? 1 : (skip[node] ?? 1)
    }
    sum += value[node] ?? 0
  }
  return sum
}

/** Smallest and largest value of each column, over whole rows. */
function spread(
  rows: Float32Array,
  start: number,
  end: number,
  least: Float32Array,
  most: Float32Array,
): void {
  const width = least.length
  least.set(rows.subarray(start, start + width))
  most.set(least)
  for (let at = start + width; at < end; at += width) {
    for (let column = 0; column < width; column++) {
      const value = rows[at + column] ?? 0
      if (value < (least[column] ?? 0)) least[column] = value
      else if (value > (most[column] ?? 0)) most[column] = value
    }
  }
}

/** Writes what the bounds leave open into `into`; trees without an open question go into its bias. Gives the others' number. */
function prune(forest: Forest, least: Float32Array, most: Float32Array, into: Forest): number {
  const { feature, value, skip } = forest
  let end = 0
  let trees = 0
  into.bias = forest.bias
  const decided = (start: number): number => {
    let node = start
    for (let split = feature[node] ?? -1; split >= 0; split = feature[node] ?? -1) {
      const limit = value[node] ?? 0
      if ((most[split] ?? 0) <= limit) node++
      else if ((least[split] ?? 0) > limit) node += skip[node] ?? 1
      else break
    }
    return node
  }
  const copy = (node: number): void => {
    const at = end++
    const split = feature[node] ?? -1
    into.feature[at] = split
    into.value[at] = value[node] ?? 0
    if (split < 0) return
    copy(decided(node + 1))
    into.skip[at] = end - at
    copy(decided(node + (skip[node] ?? 1)))
  }
  for (const root of forest.roots) {
    const node = decided(root)
    if ((feature[node] ?? -1) < 0) into.bias += value[node] ?? 0
    else {
      into.roots[trees++] = end
      copy(node)
    }
  }
  return trees
}

function emptyLike({ roots, feature }: Forest): Forest {
  return {
    roots: new Int32Array(roots.length),
    feature: new Int16Array(feature.length),
    value: new Float32Array(feature.length),
    skip: new Int16Array(feature.length),
    bias: 0,
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

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

/** Probability for one row of features. */
export function predict(forest: Forest, rows: Float32Array, offset: number): number {
  const { roots, feature, value, skip } = forest
  let sum = forest.bias
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] ?? 0
    for (let split = feature[node] ?? -1; split >= 0; split = feature[node] ?? -1) {
      node += (rows[offset + split] ?? 0) <= (value[node] ?? 0) ? 1 : (skip[node] ?? 1)
    }
    sum += value[node] ?? 0
  }
  return 1 / (1 + Math.exp(-sum))
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

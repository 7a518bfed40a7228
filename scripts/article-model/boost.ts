import type { Forest } from '../../src/extract/article/forest.ts'

// Gradient boosted trees on binned features: best leaf first, histograms by subtraction.

export interface BoostOptions {
  trees: number
  leaves: number
  rate: number
  rowShare: number
  columnShare: number
  minWeight: number
  l2: number
  seed: number
}

export interface Samples {
  rows: Float32Array
  width: number
  label: Float32Array
  weight: Float32Array
}

interface Node {
  feature: number
  threshold: number
  value: number
  left: Node | null
  right: Node | null
}

interface Leaf {
  rows: Int32Array
  histogram: Float64Array
  gradient: number
  hessian: number
  node: Node
  split: Split | null
}

interface Split {
  gain: number
  feature: number
  bin: number
}

const bins = 64

export function boost(samples: Samples, options: BoostOptions): Forest {
  const { label, weight, width } = samples
  const count = label.length
  const random = seeded(options.seed)
  const edges = binEdges(samples, random)
  const binned = binRows(samples, edges)
  let positive = 0
  let total = 0
  for (let i = 0; i < count; i++) {
    positive += (label[i] ?? 0) * (weight[i] ?? 0)
    total += weight[i] ?? 0
  }
  const bias = Math.log(positive / (total - positive))
  const margin = new Float64Array(count).fill(bias)
  const gradient = new Float64Array(count)
  const hessian = new Float64Array(count)
  const trees: Node[] = []
  for (let t = 0; t < options.trees; t++) {
    const chosen: number[] = []
    for (let i = 0; i < count; i++) {
      const p = 1 / (1 + Math.exp(-(margin[i] ?? 0)))
      gradient[i] = (p - (label[i] ?? 0)) * (weight[i] ?? 0)
      hessian[i] = Math.max(1e-9, p * (1 - p) * (weight[i] ?? 0))
      if (random() < options.rowShare) chosen.push(i)
    }
    const columns: number[] = []
    for (let f = 0; f < width; f++) if (random() < options.columnShare) columns.push(f)
    const tree = growTree(
      Int32Array.from(chosen),
      columns,
      binned,
      count,
      edges,
      gradient,
      hessian,
      options,
    )
    trees.push(tree)
    addTree(tree, samples, margin)
  }
  return flatten(trees, bias)
}

function growTree(
  rows: Int32Array,
  columns: number[],
  binned: Uint8Array,
  count: number,
  edges: Float32Array[],
  gradient: Float64Array,
  hessian: Float64Array,
  options: BoostOptions,
): Node {
  const makeLeaf = (leafRows: Int32Array, histogram: Float64Array): Leaf => {
    let g = 0
    let h = 0
    for (const row of leafRows) {
      g += gradient[row] ?? 0
      h += hessian[row] ?? 0
    }
    const node: Node = {
      feature: -1,
      threshold: 0,
      value: (-g / (h + options.l2)) * options.rate,
      left: null,
      right: null,
    }
    return {
      rows: leafRows,
      histogram,
      gradient: g,
      hessian: h,
      node,
      split: bestSplit(histogram, columns, g, h, edges, options),
    }
  }
  const root = makeLeaf(rows, histogramOf(rows, columns, binned, count, gradient, hessian))
  const leaves = [root]
  while (leaves.length < options.leaves) {
    let leaf: Leaf | null = null
    for (const candidate of leaves) {
      const gain = candidate.split?.gain ?? 0
      if (gain > 1e-7 && gain > (leaf?.split?.gain ?? 0)) leaf = candidate
    }
    if (leaf === null || leaf.split === null) break
    const { feature, bin } = leaf.split
    const column = feature * count
    const leftRows: number[] = []
    const rightRows: number[] = []
    for (const row of leaf.rows)
      ((binned[column + row] ?? 0) <= bin ? leftRows : rightRows).push(row)
    const smallIsLeft = leftRows.length < rightRows.length
    const small = Int32Array.from(smallIsLeft ? leftRows : rightRows)
    const large = Int32Array.from(smallIsLeft ? rightRows : leftRows)
    const smallHistogram = histogramOf(small, columns, binned, count, gradient, hessian)
    const largeHistogram = leaf.histogram
    for (let i = 0; i < largeHistogram.length; i++)
      largeHistogram[i] = (largeHistogram[i] ?? 0) - (smallHistogram[i] ?? 0)
    const a = makeLeaf(small, smallHistogram)
    const b = makeLeaf(large, largeHistogram)
    leaf.node.feature = feature
    leaf.node.threshold = edges[feature]?.[bin] ?? 0
    leaf.node.left = smallIsLeft ? a.node : b.node
    leaf.node.right = smallIsLeft ? b.node : a.node
    leaves[leaves.indexOf(leaf)] = a
    leaves.push(b)
  }
  return root.node
}

function histogramOf(
  rows: Int32Array,
  columns: number[],
  binned: Uint8Array,
  count: number,
  gradient: Float64Array,
  hessian: Float64Array,
): Float64Array {
  const out = new Float64Array(columns.length * bins * 2)
  for (let c = 0; c < columns.length; c++) {
    const column = (columns[c] ?? 0) * count
    const base = c * bins * 2
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] ?? 0
      const slot = base + (binned[column + row] ?? 0) * 2
      out[slot] = (out[slot] ?? 0) + (gradient[row] ?? 0)
      out[slot + 1] = (out[slot + 1] ?? 0) + (hessian[row] ?? 0)
    }
  }
  return out
}

function bestSplit(
  histogram: Float64Array,
  columns: number[],
  g: number,
  h: number,
  edges: Float32Array[],
  options: BoostOptions,
): Split | null {
  let best: Split | null = null
  const parent = (g * g) / (h + options.l2)
  for (let c = 0; c < columns.length; c++) {
    const feature = columns[c] ?? 0
    const last = edges[feature]?.length ?? 0
    let gl = 0
    let hl = 0
    for (let bin = 0; bin < last; bin++) {
      const slot = (c * bins + bin) * 2
      gl += histogram[slot] ?? 0
      hl += histogram[slot + 1] ?? 0
      const hr = h - hl
      if (hl < options.minWeight || hr < options.minWeight) continue
      const gr = g - gl
      const gain = (gl * gl) / (hl + options.l2) + (gr * gr) / (hr + options.l2) - parent
      if (gain > (best?.gain ?? 0)) best = { gain, feature, bin }
    }
  }
  return best
}

function binEdges(samples: Samples, random: () => number): Float32Array[] {
  const { rows, width, label } = samples
  const sample: number[] = []
  const share = Math.min(1, 40_000 / label.length)
  for (let i = 0; i < label.length; i++) if (random() < share) sample.push(i)
  return Array.from({ length: width }, (_, f) => {
    const values = Float32Array.from(sample, (i) => rows[i * width + f] ?? 0).sort()
    const unique = [...new Set(values)]
    if (unique.length <= bins)
      return Float32Array.from(unique.slice(0, -1), (v, i) => (v + (unique[i + 1] ?? 0)) / 2)
    const edges = new Set<number>()
    for (let b = 1; b < bins; b++) edges.add(values[Math.floor((b * values.length) / bins)] ?? 0)
    return Float32Array.from(edges)
  })
}

function binRows(samples: Samples, edges: Float32Array[]): Uint8Array {
  const { rows, width, label } = samples
  const count = label.length
  const out = new Uint8Array(width * count)
  for (let f = 0; f < width; f++) {
    const cuts = edges[f] ?? new Float32Array(0)
    for (let i = 0; i < count; i++) {
      const value = rows[i * width + f] ?? 0
      let low = 0
      let high = cuts.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (value <= (cuts[middle] ?? 0)) high = middle
        else low = middle + 1
      }
      out[f * count + i] = low
    }
  }
  return out
}

function addTree(tree: Node, samples: Samples, margin: Float64Array): void {
  for (let i = 0; i < margin.length; i++) {
    let node = tree
    while (node.left !== null && node.right !== null) {
      node =
        (samples.rows[i * samples.width + node.feature] ?? 0) <= node.threshold
          ? node.left
          : node.right
    }
    margin[i] = (margin[i] ?? 0) + node.value
  }
}

function flatten(trees: Node[], bias: number): Forest {
  const roots: number[] = []
  const feature: number[] = []
  const value: number[] = []
  const skip: number[] = []
  const write = (node: Node): void => {
    const at = feature.length
    feature.push(node.left === null ? -1 : node.feature)
    value.push(node.left === null ? node.value : node.threshold)
    skip.push(0)
    if (node.left === null || node.right === null) return
    write(node.left)
    skip[at] = feature.length - at
    write(node.right)
  }
  for (const tree of trees) {
    roots.push(feature.length)
    write(tree)
  }
  return {
    roots: Int32Array.from(roots),
    feature: Int16Array.from(feature),
    value: Float32Array.from(value),
    skip: Int16Array.from(skip),
    bias,
  }
}

export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

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
    positive += label[i]! * weight[i]!
    total += weight[i]!
  }
  const bias = Math.log(positive / (total - positive))
  const margin = new Float64Array(count).fill(bias)
  const gradient = new Float64Array(count)
  const hessian = new Float64Array(count)
  const trees: Node[] = []
  for (let t = 0; t < options.trees; t++) {
    const chosen: number[] = []
    for (let i = 0; i < count; i++) {
      const p = 1 / (1 + Math.exp(-margin[i]!))
      gradient[i] = (p - label[i]!) * weight[i]!
      hessian[i] = Math.max(1e-9, p * (1 - p) * weight[i]!)
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
      g += gradient[row]!
      h += hessian[row]!
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
    let pick = -1
    for (let i = 0; i < leaves.length; i++) {
      const gain = leaves[i]!.split?.gain ?? 0
      if (gain > 1e-7 && (pick < 0 || gain > leaves[pick]!.split!.gain)) pick = i
    }
    if (pick < 0) break
    const leaf = leaves[pick]!
    const { feature, bin } = leaf.split!
    const column = feature * count
    const leftRows: number[] = []
    const rightRows: number[] = []
    for (const row of leaf.rows) (binned[column + row]! <= bin ? leftRows : rightRows).push(row)
    const smallIsLeft = leftRows.length < rightRows.length
    const small = Int32Array.from(smallIsLeft ? leftRows : rightRows)
    const large = Int32Array.from(smallIsLeft ? rightRows : leftRows)
    const smallHistogram = histogramOf(small, columns, binned, count, gradient, hessian)
    const largeHistogram = leaf.histogram
    for (let i = 0; i < largeHistogram.length; i++) largeHistogram[i]! -= smallHistogram[i]!
    const a = makeLeaf(small, smallHistogram)
    const b = makeLeaf(large, largeHistogram)
    leaf.node.feature = feature
    leaf.node.threshold = edges[feature]![bin]!
    leaf.node.left = smallIsLeft ? a.node : b.node
    leaf.node.right = smallIsLeft ? b.node : a.node
    leaves[pick] = a
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
    const column = columns[c]! * count
    const base = c * bins * 2
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!
      const slot = base + binned[column + row]! * 2
      out[slot]! += gradient[row]!
      out[slot + 1]! += hessian[row]!
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
    const feature = columns[c]!
    const last = edges[feature]!.length
    let gl = 0
    let hl = 0
    for (let bin = 0; bin < last; bin++) {
      const slot = (c * bins + bin) * 2
      gl += histogram[slot]!
      hl += histogram[slot + 1]!
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
    const values = Float32Array.from(sample, (i) => rows[i * width + f]!).sort()
    const unique = [...new Set(values)]
    if (unique.length <= bins)
      return Float32Array.from(unique.slice(0, -1), (v, i) => (v + unique[i + 1]!) / 2)
    const edges = new Set<number>()
    for (let b = 1; b < bins; b++) edges.add(values[Math.floor((b * values.length) / bins)]!)
    return Float32Array.from(edges)
  })
}

function binRows(samples: Samples, edges: Float32Array[]): Uint8Array {
  const { rows, width, label } = samples
  const count = label.length
  const out = new Uint8Array(width * count)
  for (let f = 0; f < width; f++) {
    const cuts = edges[f]!
    for (let i = 0; i < count; i++) {
      const value = rows[i * width + f]!
      let low = 0
      let high = cuts.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (value <= cuts[middle]!) high = middle
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
        samples.rows[i * samples.width + node.feature]! <= node.threshold ? node.left : node.right
    }
    margin[i]! += node.value
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

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newColumns, type Columns } from './columns.ts'
import { packForest, predict, unpackForest, type Forest } from './forest.ts'

const width = 3
const value = fc.integer({ min: -3, max: 3 })

/** A tree in preorder: a split asks a column, a leaf has a value. */
type Tree = { column: number; limit: number; left: Tree; right: Tree } | number
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    value,
    fc.record({
      column: fc.nat({ max: width - 1 }),
      limit: value,
      left: tie('tree'),
      right: tie('tree'),
    }),
  ),
}))

test('rows judged together get what each would get alone', () => {
  fc.assert(
    fc.property(
      fc.array(tree, { maxLength: 6 }),
      fc.array(fc.array(value, { minLength: width, maxLength: width }), { maxLength: 60 }),
      (trees, rows) => {
        const forest = unpackForest(packForest(forestOf(trees)))
        const together = predict(forest, byColumn(rows))
        expect([...together]).toEqual(
          rows.map((row) => {
            const sum = trees.reduce<number>((total, one) => total + leafOf(one, row), 0.5)
            return Math.fround(1 / (1 + Math.exp(-sum)))
          }),
        )
      },
    ),
  )
})

function byColumn(rows: readonly (readonly number[])[]): Columns {
  const columns = newColumns(rows.length, width)
  for (const [i, row] of rows.entries())
    for (const [column, one] of row.entries()) columns.values[column * columns.stride + i] = one
  return columns
}

function leafOf(tree: Tree, row: readonly number[]): number {
  if (typeof tree === 'number') return tree
  return leafOf((row[tree.column] ?? 0) <= tree.limit ? tree.left : tree.right, row)
}

function forestOf(trees: readonly Tree[]): Forest {
  const nodes: { feature: number; value: number; skip: number }[] = []
  const add = (tree: Tree): void => {
    if (typeof tree === 'number') {
      nodes.push({ feature: -1, value: tree, skip: 0 })
      return
    }
    const at = nodes.length
    const node = { feature: tree.column, value: tree.limit, skip: 0 }
    nodes.push(node)
    add(tree.left)
    node.skip = nodes.length - at
    add(tree.right)
  }
  const roots = trees.map((tree) => {
    const at = nodes.length
    add(tree)
    return at
  })
  return {
    bias: 0.5,
    roots: Int32Array.from(roots),
    feature: Int16Array.from(nodes, (node) => node.feature),
    value: Float32Array.from(nodes, (node) => node.value),
    skip: Int16Array.from(nodes, (node) => node.skip),
  }
}

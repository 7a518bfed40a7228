/** Numbers about many blocks, column by column: that of row `i` in column `c` stands at `c * stride + i`. */
export interface Columns {
  values: Float32Array
  /** From one column to the next; there may be unused room behind a column's last row. */
  stride: number
  count: number
  /** 1 for each column that has one value in all rows. */
  same: Uint8Array
}

/** Used for page after page: most need a few hundred kilobytes, too much to ask for and clear each time. */
let room = new Float32Array(0)
const mostKept = 1_000_000

/** Room for the columns of one page, good until it is asked for again. */
export function sharedColumns(count: number, width: number): Columns {
  const stride = strideFor(count)
  const size = stride * width
  if (size > mostKept) return newColumns(count, width)
  if (room.length < size) room = new Float32Array(Math.min(mostKept, size * 2))
  return { values: room.subarray(0, size), stride, count, same: new Uint8Array(width) }
}

export function newColumns(count: number, width: number): Columns {
  const stride = strideFor(count)
  const values = new Float32Array(stride * width)
  return { values, stride, count, same: new Uint8Array(width) }
}

export function fillColumn(columns: Columns, column: number, value: number): void {
  const { values, stride, count, same } = columns
  values.fill(value, column * stride, column * stride + count)
  same[column] = 1
}

/** Fills a column with what another has `step` rows further; -1 where that is outside of the page. */
export function moveColumn(
  { values, stride, count }: Columns,
  from: number,
  to: number,
  step: number,
): void {
  const start = from * stride
  values.fill(-1, to * stride, to * stride + count)
  if (Math.abs(step) >= count) return
  if (step > 0) values.copyWithin(to * stride, start + step, start + count)
  else values.copyWithin(to * stride - step, start, start + count + step)
}

/** An odd number of cache lines: rows are written across all columns, which must not fall into the same few places. */
function strideFor(count: number): number {
  const lines = Math.ceil(count / 32) * 2 + 1
  return lines * 16
}

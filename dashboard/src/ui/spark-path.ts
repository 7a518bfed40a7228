interface SparkPath {
  line: string
  area: string
}

/** By the array itself: the numbers of a row are drawn once, however often it scrolls in and out of sight. */
const drawn = new WeakMap<readonly number[], Map<string, SparkPath>>()

export function sparkPath(values: readonly number[], width: number, height: number): SparkPath {
  const sizes = drawn.get(values) ?? new Map<string, SparkPath>()
  drawn.set(values, sizes)
  const size = `${width}x${height}`
  const path = sizes.get(size) ?? draw(values, width, height)
  sizes.set(size, path)
  return path
}

function draw(values: readonly number[], width: number, height: number): SparkPath {
  const top = Math.max(1, ...values)
  const step = width / Math.max(1, values.length - 1)
  const line = values
    .map((value, index) => {
      const y = height - 1.5 - (value / top) * (height - 3)
      return `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
  return { line, area: `${line}L${width} ${height}L0 ${height}Z` }
}

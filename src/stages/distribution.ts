/** How often each number occurred. */
export type Distribution = Map<number, number>

export function addTo(distribution: Distribution, value: number, n: number): void {
  distribution.set(value, (distribution.get(value) ?? 0) + n)
}

export function average(distribution: Distribution): number | null {
  let count = 0
  let sum = 0
  for (const [value, n] of distribution) {
    count += n
    sum += value * n
  }
  return count === 0 ? null : sum / count
}

/** The middle value; of an even number, the mean of the two in the middle. */
export function median(distribution: Distribution): number | null {
  const sorted = [...distribution].sort(([a], [b]) => a - b)
  const count = sorted.reduce((sum, [, n]) => sum + n, 0)
  if (count === 0) return null
  const at = (rank: number): number => {
    let passed = 0
    for (const [value, n] of sorted) {
      passed += n
      if (passed > rank) return value
    }
    return sorted.at(-1)?.[0] ?? 0
  }
  return (at(Math.floor((count - 1) / 2)) + at(Math.floor(count / 2))) / 2
}

export function rounded(value: number | null, digits: number): number | null {
  if (value === null) return null
  const factor = 10 ** digits
  return Math.round(value * factor) / factor
}

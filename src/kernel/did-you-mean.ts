/** The known name closest to a misspelt one, when it is close enough to be meant. */
export function didYouMean(name: string, known: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Math.max(2, Math.floor(name.length / 4)) + 1
  for (const candidate of known) {
    const distance = editDistance(name.toUpperCase(), candidate.toUpperCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}

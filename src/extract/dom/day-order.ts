import type { Line } from './lines.ts'

const NUMERIC = /(?<![\d\-/.])(\d{1,2})([-/.])(\d{1,2})\2(?:(?:19|20)\d{2}|\d{2})(?![\d\-/])/g
const ENOUGH = 200

/**
 * The language whose order of day and month the page's numeric dates follow. 25/3/2026 and 3/25/2026 leave no
 * doubt and settle the others; without such a date the page's own language does.
 */
export function dateLanguage(lines: Line[], lang: string | null): string | null {
  let dayFirst = 0
  let monthFirst = 0
  for (const line of lines) {
    if (dayFirst + monthFirst > ENOUGH) break
    if (line.text.length > 400 || !/\d[-/.]\d/.test(line.text)) continue
    for (const [, first, , second] of line.text.matchAll(NUMERIC)) {
      if (Number(first) > 12 && Number(second) <= 12) dayFirst += 1
      if (Number(second) > 12 && Number(first) <= 12) monthFirst += 1
    }
  }
  if (dayFirst > monthFirst * 3) return lang === 'en' ? 'nl' : lang
  return monthFirst > dayFirst * 3 ? 'en' : lang
}

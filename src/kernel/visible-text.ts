const SILENT = /<(script|style|noscript|template|svg)(?![a-z])/iy

/**
 * The words of a page without its tags, scripts and styles, cut off at a length. Linear in the page, which a pattern
 * for tags is not: every `<` that nothing closes would be searched to the end of the page again.
 */
export function visibleText(html: string, maxChars: number): string {
  let text = ''
  let at = 0
  while (at < html.length && text.length < maxChars) {
    const open = html.indexOf('<', at)
    const piece = html.slice(at, open === -1 ? html.length : open)
    if (piece.trim() !== '') text += `${piece} `
    if (open === -1) break
    at = afterTag(html, open)
  }
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, maxChars)
}

/** How many words the page shows; counting ends at `most`. */
export function visibleWords(html: string, most: number): number {
  let words = 0
  let at = 0
  while (at < html.length && words < most) {
    const open = html.indexOf('<', at)
    words += wordsBetween(html, at, open === -1 ? html.length : open)
    if (open === -1) break
    at = afterTag(html, open)
  }
  return Math.min(words, most)
}

/** Counted as they stand, without cutting them out: every page of a crawl is looked at this way. */
function wordsBetween(html: string, start: number, end: number): number {
  let words = 0
  let afterBlank = true
  for (let at = start; at < end; at++) {
    const blank = isBlank(html.charCodeAt(at))
    if (afterBlank && !blank) words++
    afterBlank = blank
  }
  return words
}

/** What `\s` stands for. */
function isBlank(code: number): boolean {
  if (code < 0x80) return code === 32 || (code >= 9 && code <= 13)
  return code === 0xa0 || (code >= 0x1680 && /\s/.test(String.fromCharCode(code)))
}

function afterTag(html: string, open: number): number {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open)
    return end === -1 ? html.length : end + 3
  }
  SILENT.lastIndex = open
  const name = SILENT.exec(html)?.[1]
  const end = name === undefined ? open : endOfSilent(html, open, name)
  const close = html.indexOf('>', end)
  // Nothing closes any more: the rest is no text.
  return close === -1 ? html.length : close + 1
}

function endOfSilent(html: string, open: number, name: string): number {
  const pattern = new RegExp(`</${name}`, 'gi')
  pattern.lastIndex = open
  const match = pattern.exec(html)
  return match === null ? html.length : match.index
}

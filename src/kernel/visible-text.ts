const SILENT = ['script', 'style', 'noscript', 'template', 'svg']

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
    const piece = html.slice(at, open === -1 ? html.length : open).trim()
    if (piece !== '') words += piece.split(/\s+/).length
    if (open === -1) break
    at = afterTag(html, open)
  }
  return Math.min(words, most)
}

function afterTag(html: string, open: number): number {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open)
    return end === -1 ? html.length : end + 3
  }
  const name = /^[a-z]+/i.exec(html.slice(open + 1, open + 12))?.[0].toLowerCase()
  const end = name !== undefined && SILENT.includes(name) ? endOfSilent(html, open, name) : open
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

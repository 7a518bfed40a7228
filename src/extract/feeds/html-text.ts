import { decodeHTML } from 'entities'

const BLOCK =
  /<\/?(?:p|div|br|hr|li|ul|ol|dl|dt|dd|h[1-6]|table|tr|td|th|blockquote|pre|section|article|figure|figcaption|header|footer)\b[^<>]*>/gi
const TAG = /<\/?[a-z][^<>]*>/gi

/** An HTML fragment on one line of plain text. */
export function htmlToText(html: string): string {
  return htmlToParagraphs(html).replace(/\s+/g, ' ')
}

/** An HTML fragment as plain text, its blocks on lines of their own. */
export function htmlToParagraphs(html: string): string {
  const marked = withoutHidden(html).replace(/\s+/g, ' ').replace(BLOCK, '\n')
  return decodeHTML(marked.replace(TAG, ''))
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** Leaves out comments, scripts and styles; one that never closes hides nothing. */
function withoutHidden(html: string): string {
  const lower = html.toLowerCase()
  let kept = ''
  let at = 0
  for (const match of lower.matchAll(/<!--|<(script|style)\b/g)) {
    if (match.index < at) continue
    const end = lower.indexOf(match[1] === undefined ? '--' : `</${match[1]}`, match.index + 4)
    const close = end === -1 ? -1 : lower.indexOf('>', end)
    if (close === -1) break
    kept += html.slice(at, match.index)
    at = close + 1
  }
  return kept + html.slice(at)
}

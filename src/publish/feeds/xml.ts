/** Text for XML: escaped, and without the characters XML has no way to hold. */
export function xmlText(text: string): string {
  return clean(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
}

/** An element, or nothing when it would be empty. */
export function element(
  name: string,
  text: string | null | undefined,
  attributes: Record<string, string> = {},
): string {
  if (text === null || text === undefined || text === '') return ''
  return `<${name}${attributesOf(attributes)}>${xmlText(text)}</${name}>\n`
}

export function emptyElement(name: string, attributes: Record<string, string>): string {
  return `<${name}${attributesOf(attributes)}/>\n`
}

/** Plain text as the HTML a feed reader shows. */
export function htmlOf(text: string): string {
  return clean(text)
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${xmlText(paragraph.trim()).replaceAll('\n', '<br/>')}</p>`)
    .join('\n')
}

function attributesOf(attributes: Record<string, string>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${xmlText(value)}"`)
    .join('')
}

function clean(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}

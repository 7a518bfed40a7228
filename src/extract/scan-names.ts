const NAMES =
  'a abbr address alt area article aside astro-island b base blockquote body br button charset class code content data dd dir div dl dt em embed fieldset figcaption figure footer form g h1 h2 h3 h4 h5 h6 head header height href hreflang html i id iframe img input itemprop itemscope itemtype label lang li link loading main math meta name nav noembed noframes noscript ol option p path picture plaintext pre property rel role script section select source span src srcset strong style sup svg table target tbody td template textarea th thead time title tr type typeof ul use value video width xmp'.split(
    ' ',
  )

const PLACES = 2048
const BY_HASH: string[] = Array.from({ length: PLACES }, () => '')
// As keys of an object the engine keeps one copy of each: comparing them is comparing addresses.
for (const name of Object.keys(Object.fromEntries(NAMES.map((name) => [name, true]))))
  BY_HASH[placeOf(name, 0, name.length)] = name

/**
 * The name of a tag or attribute, lower case. Those that stand on every page are looked up instead of being cut out:
 * short strings out of a page with wide characters cost more than all other steps of reading a tag.
 */
export function nameIn(html: string, start: number, end: number): string {
  const known = BY_HASH[placeOf(html, start, end)] ?? ''
  if (known.length === end - start && isAt(html, start, known)) return known
  return html.slice(start, end).toLowerCase()
}

function placeOf(text: string, start: number, end: number): number {
  let hash = end - start
  for (let at = start; at < end; at++)
    hash = (Math.imul(hash, 31) + (text.charCodeAt(at) | 0x20)) | 0
  return (hash ^ (hash >>> 11)) & (PLACES - 1)
}

function isAt(html: string, start: number, name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = html.charCodeAt(start + at)
    const lower = code >= 0x41 && code <= 0x5a ? code | 0x20 : code
    if (lower !== name.charCodeAt(at)) return false
  }
  return true
}

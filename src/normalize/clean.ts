import { decodeHTML } from 'entities'

const mostTitleChars = 300
const mostDescriptionChars = 8000

/** One line, no markup, no name of the site at its end. */
export function cleanTitle(raw: string, siteName: string): string {
  const line = oneLine(stripTags(decode(raw)))
  const bare = withoutSite(line, siteName)
  return cut(bare, mostTitleChars)
}

/** Paragraphs stay apart; markup, control characters and leftovers of shortening go. */
export function cleanDescription(raw: string | null): string {
  if (raw === null) return ''
  const text = stripTags(decode(raw).replaceAll(/<(?:br|\/p|\/div|\/li)\b[^>]*>/gi, '\n'))
  const lines = text
    .split(/\n+/)
    .map(oneLine)
    .filter((line) => line !== '' && !leftovers.test(line))
  const joined = lines
    .join('\n')
    .replace(/\s*(?:\[(?:…|\.\.\.)\]|(?:lees (?:meer|verder)|read more)\s*[»›>→.…]*)$/i, '')
  return cut(joined, mostDescriptionChars)
}

/** Only pictures a reader could want to see. */
export function cleanImageUrl(raw: string | null, base: string | null): string | null {
  if (raw === null || raw.trim() === '') return null
  const url = URL.parse(raw.trim(), base ?? undefined)
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > 2000) return null
  return noPicture.test(url.pathname) ? null : url.href
}

export function oneLine(text: string): string {
  const visible = plain.test(text) ? text : text.replaceAll(invisible, '')
  // Single spaces, nearly all there are, stay untouched.
  return visible.replaceAll(/[^\S ]\s*|\s{2,}/g, ' ').trim()
}

/** Letters and figures only, without accents: the form in which names are compared. */
export function fold(text: string): string {
  // Most names are plain letters, and what all the letters of the world need is slow.
  if (plain.test(text))
    return text
      .toLowerCase()
      .replaceAll(/['`]/g, '')
      .replaceAll(/[^a-z0-9]+/g, ' ')
      .trim()
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/['’`´]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const plain = /^[\n\r\t -~]*$/
/** Control characters other than line ends, and marks that only steer layout. */
const invisible = /(?![\n\r\t])\p{Cc}|\p{Cf}/gu
const leftovers =
  /^(?:lees (?:meer|verder)|read more|meer info(?:rmatie)?|more info(?:rmation)?|delen|share|advertentie|advertisement)\W*$/i
const noPicture = /(?:spacer|pixel|blank|placeholder|1x1|favicon|sprite)[^/]*$/i

function decode(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text
}

function stripTags(text: string): string {
  return text.includes('<')
    ? text.replaceAll(/<(?:script|style)\b[\s\S]*?<\/(?:script|style)>|<\/?[a-z!][^>]*>/gi, ' ')
    : text
}

function withoutSite(title: string, siteName: string): string {
  const match = /^(.{3,}?)\s+[|•·»–—-]\s+([^|•·»–—]{2,60})$/.exec(title)
  if (match === null) return title
  const [, head = title, tail = ''] = match
  return siteName !== '' && fold(tail) === fold(siteName) ? head : title
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const end = text.lastIndexOf(' ', most - 1)
  return `${text.slice(0, end > most / 2 ? end : most - 1).trimEnd()}…`
}

import type { Segmented } from './blocks.ts'
import { firstOf, found, fromMeta, type Found } from './found.ts'
import { textOf } from './publication.ts'
import { isNode, ldText, type Declared } from './structured.ts'

/** Who wrote it: structured data, meta tags, then marked elements between the title and the text's end. */
export function findByline(
  declared: Declared,
  cut: Segmented,
  from: number,
  to: number,
): Found | null {
  return firstOf(
    () => fromLd(declared),
    () => fromMeta(declared.metas, metaKeys, 0.85, cleanName),
    () => fromMarks(cut, /\bauthor\b/, 0.8, -1, Infinity),
    () => fromMarks(cut, null, 0.65, from - 8, to + 8),
    () => fromText(cut, from),
  )
}

const metaKeys =
  'author article:author dc.creator dcterms.creator parsely-author sailthru.author byl citation_author article:author_name og:article:author cxenseparse:author twitter:creator_name'.split(
    ' ',
  )

function fromLd(declared: Declared): Found | null {
  const author = declared.article?.['author'] ?? declared.article?.['creator']
  const list = Array.isArray(author) ? author : [author]
  const names = list
    .slice(0, 8)
    .map((entry) => (isNode(entry) || typeof entry === 'string' ? ldText(entry) : null))
    .map((name) => (name === null ? null : cleanName(name)))
    .filter((name) => name !== null)
  return names.length === 0 ? null : found([...new Set(names)].join(', '), 'ld+json author', 0.9)
}

function fromMarks(
  cut: Segmented,
  itemprop: RegExp | null,
  confidence: number,
  from: number,
  to: number,
): Found | null {
  for (const { element, block } of cut.marks) {
    if (block < from || block > to) continue
    const { attribs } = element
    const matches =
      itemprop !== null
        ? itemprop.test(attribs['itemprop'] ?? '') || attribs['rel'] === 'author'
        : /byline|author|autor|auteur|writer|redakteur/i.test(attribs['class'] ?? '') &&
          !/bio|box|avatar|image|desc/i.test(attribs['class'] ?? '')
    if (!matches) continue
    const name = cleanName(attribs['content'] ?? textOf(element, 200))
    if (name !== null)
      return found(name, itemprop === null ? '.byline' : '[itemprop=author]', confidence)
  }
  return null
}

export const blocksUnderTitle = 5
const nameText = String.raw`\p{Lu}[\p{L}'’.-]+(?:\s+(?:van|von|de|den|der|het|ten|ter|el|al|da|di|du|la|le|'t|\p{Lu}[\p{L}'’.-]*)){1,5}`
const saidBy = new RegExp(
  String.raw`^(?:by|door|von|par|por|tekst|text)(?:\s*:)?\s+(${nameText})(?=\s*(?:$|[,|·•–(-]|\d))`,
  'iu',
)

/** A short line under the title that says "by" and a name. */
function fromText({ blocks }: Segmented, from: number): Found | null {
  for (const { text } of blocks.slice(Math.max(0, from), from + blocksUnderTitle)) {
    const name = saidName(text)
    if (name !== null) return found(name, 'line under the title', 0.55)
  }
  return null
}

/** The name in a short line that begins with "by" and one. */
export function saidName(text: string): string | null {
  const name = text.length > 160 ? undefined : saidBy.exec(text)?.[1]
  // Case decides what a name is; the pattern itself ignores it for the words before.
  return name !== undefined && /^\p{Lu}.*\s\p{Lu}/u.test(name) ? name : null
}

/** A name without "by", dates, links and site furniture; null when nothing like a name is left. */
function cleanName(raw: string): string | null {
  const text = raw
    .replace(/\s+/g, ' ')
    .trim()
    .replace(
      /^(?:(?:written|posted|published|reviewed)\s+)?(?:by|von|par|por|door|di|author|autor|autorin|auteur|text|from)\b\s*:?\s+/i,
      '',
    )
    .replace(
      /\s*(?:[|·•,–-]\s*)?(?:(?:\p{L}+,? )?\d{1,2}[.\s]|(?:19|20)\d\d|(?<!\p{L})on \p{L}+ \d|\d+ (?:min|hours?)).*$/iu,
      '',
    )
    .replace(/[\s,|·•–-]+$/, '')
  if (
    text.length < 2 ||
    text.length > 100 ||
    /^https?:|[<>{}@]|^(?:admin|unknown|null|undefined)$/i.test(text)
  )
    return null
  return text.split(' ').length > 12 || !/\p{L}/u.test(text) ? null : text
}

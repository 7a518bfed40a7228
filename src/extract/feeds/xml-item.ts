import { absoluteUrl } from './absolute-url.ts'
import { feedDate } from './dates.ts'
import { readEventFields } from './event-fields.ts'
import { fieldsOf, firstText, type Fields } from './fields.ts'
import { htmlToText } from './html-text.ts'
import { aboutAttribute, baseOf, itemLink } from './item-link.ts'
import type { FeedItem } from './types.ts'
import { elements, markupOf, textOf, type XmlNode } from './xml.ts'

export function readItem(item: XmlNode, baseUrl: string | undefined): FeedItem {
  const fields = fieldsOf(item)
  const first = (...names: string[]) => firstText(fields, names)
  const base = baseOf(item, baseUrl)
  const summary = markup(fields, ['description', 'summary', 'itunes:summary', 'media:description'])
  const content = markup(fields, [
    'content:encoded',
    'content',
    'xhtml:body',
    'xhtml:div',
    'fullitem',
  ])
  return {
    title: title(fields),
    link: itemLink(item, fields, baseUrl),
    date: firstDate(fields, [
      'pubdate',
      'published',
      'dc:date',
      'dcterms:issued',
      'dcterms:created',
      'issued',
      'created',
      'updated',
      'modified',
      'dcterms:modified',
      'atom:published',
      'atom:updated',
      'dc:created',
      'date',
    ]),
    modified: firstDate(fields, ['updated', 'modified', 'dcterms:modified', 'atom:updated']),
    guid: first('guid', 'id', 'atom:id') ?? aboutAttribute(item) ?? first('dc:identifier'),
    summary,
    content,
    author: author(fields),
    categories: categories(fields),
    image: absoluteUrl(image(fields, content ?? summary ?? ''), base),
    event: readEventFields(fields, item),
  }
}

function firstDate(fields: Fields, names: string[]): string | null {
  for (const name of names) {
    for (const found of fields(name)) {
      const date = feedDate(textOf(found))
      if (date !== null) return date
    }
  }
  return null
}

function title(fields: Fields): string | null {
  for (const name of ['title', 'dc:title', 'media:title', 'itunes:title', 'atom:title']) {
    for (const found of fields(name)) {
      const text = plainText(found)
      if (text !== '') return text
    }
  }
  return null
}

// Atom says whether its text is HTML; RSS leaves it open and mostly is.
function plainText(element: XmlNode): string {
  const { type = '', mode } = element.attributes
  const text = isBase64(element) ? fromBase64(textOf(element)) : textOf(element)
  const literal = (type === 'text' || type === 'text/plain') && mode !== 'escaped'
  const nested = elements(element).length > 0
  return literal || nested ? text.replace(/\s+/g, ' ').trim() : htmlToText(text)
}

function markup(fields: Fields, names: string[]): string | null {
  for (const name of names) {
    for (const found of fields(name)) {
      const plain = elements(found).length > 0 ? markupOf(found) : textOf(found)
      const html = isBase64(found) ? fromBase64(plain) : plain
      if (html.trim() !== '') return html.trim()
    }
  }
  return null
}

// Atom 0.3 says so; in Atom 1.0 every media type but text and XML is written this way.
function isBase64({ attributes }: XmlNode): boolean {
  const { mode, type = '' } = attributes
  return (
    mode === 'base64' ||
    (mode === undefined && /^(?!text\/|.*[/+]xml)[\w.+-]+\/[\w.+-]+$/i.test(type))
  )
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8')
}

function author(fields: Fields): string | null {
  const nested = fields('author')
    .flatMap(elements)
    .find(({ name }) => name === 'name')
  const text = nested
    ? textOf(nested)
    : firstText(fields, ['dc:creator', 'author', 'itunes:author', 'atom:author', 'creator'])
  // RSS asks for an address: `jane@example.com (Jane)`.
  const name = /\(([^()]+)\)\s*$/.exec(text ?? '')?.[1] ?? text
  return htmlToText(name ?? '') || null
}

function categories(fields: Fields): string[] {
  const found = [...fields('category'), ...fields('dc:subject'), ...fields('media:keywords')]
  const names = found.map((category) => {
    const { label, term } = category.attributes
    return htmlToText(textOf(category) || label || term || '')
  })
  return [...new Set(names.filter((name) => name !== ''))]
}

function image(fields: Fields, html: string): string | null {
  const media = [
    ...fields('media:thumbnail'),
    ...fields('media:content'),
    ...fields('media:group').flatMap(elements),
    ...fields('enclosure'),
    ...fields('link').filter(({ attributes }) => attributes['rel'] === 'enclosure'),
  ]
  const isImage = ({ name, attributes }: XmlNode) =>
    name === 'thumbnail' ||
    /^image\b/.test(attributes['type'] ?? attributes['medium'] ?? '') ||
    /\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i.test(attributes['url'] ?? '')
  const found = media.find(isImage)?.attributes
  const podcast = fields('itunes:image')[0]?.attributes['href']
  const inline = /<img\b[^<>]*?\ssrc\s*=\s*["']([^"']+)/i.exec(html)?.[1]
  return found?.['url'] ?? found?.['href'] ?? podcast ?? inline ?? null
}

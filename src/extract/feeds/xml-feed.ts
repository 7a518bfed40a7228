import { absoluteUrl } from './absolute-url.ts'
import { htmlToText } from './html-text.ts'
import type { Feed } from './types.ts'
import { elements, parseXml, textOf, type XmlNode } from './xml.ts'
import { readItem } from './xml-item.ts'

const ROOTS = new Set(['rss', 'feed', 'rdf', 'channel', 'entry'])
const MAX_ITEMS = 10_000

export function parseXmlFeed(text: string, baseUrl?: string): Feed | null {
  if (!/<(?:[\w-]+:)?(?:rss|feed|rdf|channel|entry)\b/i.test(text.slice(0, 100_000))) return null
  const root = elements(parseXml(text)).find(({ name }) => ROOTS.has(name))
  if (!root) return null
  const atom = root.name === 'feed' || root.name === 'entry'
  const channel = atom ? root : (elements(root).find(({ name }) => name === 'channel') ?? root)
  const plain = (name: string) => {
    const own = ({ prefix }: XmlNode) => prefix === channel.prefix || prefix === ''
    const field = elements(channel).find((child) => child.name === name && own(child))
    return (field && htmlToText(textOf(field))) || null
  }
  return {
    format: atom ? 'atom' : root.name === 'rdf' ? 'rdf' : 'rss',
    title: plain('title'),
    link: absoluteUrl(channelLink(channel), baseUrl),
    description: plain('description') ?? plain('subtitle') ?? plain('tagline'),
    language: plain('language') ?? root.attributes['xml:lang'] ?? null,
    items: findItems(root).map((item) => readItem(item, baseUrl)),
  }
}

function channelLink(channel: XmlNode): string | null {
  const links = elements(channel).filter(({ name }) => name === 'link')
  const written = links.map((link) => textOf(link).trim()).find((text) => text !== '')
  const alternate = links.find(
    ({ attributes }) => (attributes['rel'] ?? 'alternate') === 'alternate',
  )
  return written ?? alternate?.attributes['href'] ?? null
}

/** Items wherever they stand: in the channel, beside it (RSS 1.0), or in a wrapper of their own. */
function findItems(root: XmlNode): XmlNode[] {
  if (root.name === 'entry') return [root]
  const found: XmlNode[] = []
  const stack = [root]
  for (let next = stack.pop(); next && found.length < MAX_ITEMS; next = stack.pop()) {
    if (next.name === 'item' || next.name === 'entry') found.push(next)
    else stack.push(...elements(next).toReversed())
  }
  return found
}

import type { Element } from 'domhandler'
import { findOne } from 'domutils'
import { resolveUrl } from '../../kernel/url.ts'
import type { DomEvent } from './events.ts'
import type { PageLines } from './lines.ts'
import { parentOf } from './text-of.ts'
import { namesDocument } from './words.ts'

/** The event's own page: the title's link, else one that is no document or button. */
export function linkIn(event: DomEvent, lines: PageLines, baseUrl: string): string | null {
  const { record, title } = event
  const own = event.ownTitle ? title.line.links : []
  const around = [...own, ...wrappingLink(record.root)]
  for (const link of around) {
    const url = webUrl(link.element, baseUrl)
    if (url !== null) return url
  }
  for (let at = record.from; at < Math.min(record.to, record.from + 30); at += 1) {
    const line = lines.lines[at]
    if (line === undefined) break
    for (const link of line.links) {
      if (record.clip !== null && (link.start < record.clip.start || link.end > record.clip.end))
        continue
      const url = webUrl(link.element, baseUrl)
      if (url !== null && !namesDocument(line.text.slice(link.start, link.end))) return url
    }
  }
  return null
}

export function imageIn(event: DomEvent, lines: PageLines, baseUrl: string): string | null {
  const { record } = event
  const root = record.root
  const range = root === null ? undefined : lines.ranges.get(root)
  if (root === null || range === undefined || range.to - range.from > 40) return null
  const image = findOne((element) => element.name === 'img', root.children)
  return image === null ? null : imageUrl(image, baseUrl)
}

export function imageUrl(image: Element, baseUrl: string): string | null {
  const { attribs } = image
  const set = attribs['srcset'] ?? attribs['data-srcset'] ?? ''
  const source =
    attribs['data-src'] ??
    attribs['data-lazy-src'] ??
    attribs['src'] ??
    set.trim().split(/\s+/)[0] ??
    ''
  if (source === '' || source.startsWith('data:')) return null
  const url = resolveUrl(source, baseUrl)
  return url !== null && url.startsWith('http') ? url : null
}

export function webUrl(link: Element, baseUrl: string): string | null {
  const href = link.attribs['href']?.trim() ?? ''
  if (href === '' || href.startsWith('#') || /^(?:javascript|mailto|tel|data):/i.test(href))
    return null
  const url = resolveUrl(href, baseUrl)
  return url !== null && url.startsWith('http') ? url : null
}

// Cards are often one link around everything.
function wrappingLink(root: Element | null): Array<{ element: Element }> {
  let current = root
  for (let step = 0; step < 3 && current !== null; step += 1) {
    if (current.name === 'a') return [{ element: current }]
    current = parentOf(current)
  }
  return []
}

import type { Element } from 'domhandler'
import { findOne } from 'domutils'
import type { Page } from '../page.ts'
import type { FieldOrigin, RawItem } from '../types.ts'
import { linkKind } from '../links/link-kind.ts'
import { scanDates } from './date-scan.ts'
import { emptyItem } from './empty-item.ts'
import { languageOf } from './language.ts'
import { pageLines, type Line, type PageLines } from './lines.ts'
import { imageUrl, webUrl } from './media.ts'
import { pathOf, signatureOf } from './signature.ts'
import { parentOf } from './text-of.ts'
import { findTimes } from './time-scan.ts'
import { namesDocument } from './words.ts'

interface Teaser {
  line: Line
  title: string
  url: string
  signature: string
}

const MIN_TEASERS = 3
const MAX_TEASERS = 500
const MIN_WORDS = 4
const MAX_UP = 5
const MAX_BLOCK_LINES = 14

/** Lists of articles: links that read like headlines and stand in the same kind of place. */
export function findTeasers(page: Page): RawItem[] {
  const lines = pageLines(page.dom)
  const groups = new Map<string, Teaser[]>()
  for (const line of lines.lines) {
    const teaser = line.zone === 'main' ? teaserOf(line, page) : null
    if (teaser === null) continue
    const group = groups.get(teaser.signature)
    if (group === undefined) groups.set(teaser.signature, [teaser])
    else group.push(teaser)
  }
  const items: RawItem[] = []
  const seen = new Set<string>()
  for (const group of groups.values()) {
    if (new Set(group.map((teaser) => teaser.url)).size < MIN_TEASERS) continue
    const crowded = crowdedBlocks(group)
    for (const teaser of group) {
      if (seen.has(teaser.url) || items.length >= MAX_TEASERS) continue
      seen.add(teaser.url)
      items.push(toItem(teaser, crowded, lines, page))
    }
  }
  return items
}

function teaserOf(line: Line, page: Page): Teaser | null {
  for (const link of line.links) {
    const title = line.text.slice(link.start, link.end).trim()
    const isHeading = line.heading > 0
    const words = title.split(' ').length
    if (words < (isHeading ? 2 : MIN_WORDS) || title.length > 200 || namesDocument(title)) continue
    const url = webUrl(link.element, page.scan.baseUrl)
    if (url === null || url === page.url) continue
    const kind = linkKind(url)
    if (!isHeading && kind !== 'article' && kind !== 'event' && kind !== 'page') continue
    if (kind === 'asset' || kind === 'feed' || kind === 'ics') continue
    return { line, title, url, signature: signatureOf(line.block) }
  }
  return null
}

// Elements with more than one teaser are the list, not a block of it.
function crowdedBlocks(group: Teaser[]): Set<Element> {
  const seen = new Set<Element>()
  const crowded = new Set<Element>()
  for (const { line } of group) {
    let current: Element | null = line.block
    for (let step = 0; step < MAX_UP && current !== null; step += 1) {
      if (seen.has(current)) crowded.add(current)
      seen.add(current)
      current = parentOf(current)
    }
  }
  return crowded
}

function toItem(teaser: Teaser, crowded: Set<Element>, lines: PageLines, page: Page): RawItem {
  let block: Element = teaser.line.block
  for (let step = 0; step < MAX_UP; step += 1) {
    const outer = parentOf(block)
    const range = outer === null ? undefined : lines.ranges.get(outer)
    if (outer === null || crowded.has(outer) || outer.name === 'body') break
    if (range !== undefined && range.to - range.from > MAX_BLOCK_LINES) break
    block = outer
  }
  const range = crowded.has(block) ? undefined : lines.ranges.get(block)
  const inside = lines.lines.slice(
    range?.from ?? teaser.line.index,
    range?.to ?? teaser.line.index + 1,
  )
  const dated = inside.flatMap((line) => publishedIn(line, page) ?? [])[0]
  const summary = inside.find((line) => line !== teaser.line && line.text.length > 60)
  const image = findOne((element) => element.name === 'img', block.children)
  const item = emptyItem('article', teaser.title)
  const confidence = 0.3 + (dated === undefined ? 0 : 0.15) + (teaser.line.heading > 0 ? 0.05 : 0)
  if (item.article !== null) item.article.publishedAt = dated?.date ?? null
  const provenance: Record<string, FieldOrigin> = {
    title: originOf(teaser.line, 0.6),
    url: originOf(teaser.line, 0.8),
  }
  if (dated !== undefined) provenance['publishedAt'] = originOf(dated.line, 0.5)
  return {
    ...item,
    url: teaser.url,
    description: summary?.text.slice(0, 600) ?? null,
    imageUrl: image === null ? null : imageUrl(image, page.scan.baseUrl),
    confidence: Number(confidence.toFixed(2)),
    provenance,
  }
}

// Only a written year makes a publication date; teasers otherwise say "yesterday" or a weekday.
function publishedIn(line: Line, page: Page): { date: string; line: Line } | null {
  const written = scanDates(line.text, languageOf(page)).find((date) => date.year !== null)
  if (written === undefined || line.text.length > 200) return null
  const day = [written.year ?? 0, written.month, written.day]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  const [time] = findTimes(line.text.slice(written.index + written.length))
  return { date: time === undefined ? day : `${day}T${time.start}`, line }
}

function originOf(line: Line, confidence: number): FieldOrigin {
  return { strategy: 'dom', path: pathOf(line.block), confidence, snippet: line.text.slice(0, 160) }
}

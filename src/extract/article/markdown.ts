import { isTag, isText, type Element } from 'domhandler'
import type { Block } from './blocks.ts'
import { contextNames, distanceTo, far, headingLevelOf, type Container } from './containers.ts'

/** The kept blocks as Markdown: headings, lists, quotes, code, tables, links and emphasis. */
export function toMarkdown(kept: readonly Block[], baseUrl: string): string {
  const parts: string[] = []
  let previous: Block | null = null
  for (let i = 0; i < kept.length; i++) {
    const block = kept[i]
    if (block === undefined) continue
    const row = ancestorTag(block.container, tr)
    if (row !== null) {
      const cells = [block]
      for (
        let next = kept[i + 1];
        next !== undefined && ancestorTag(next.container, tr) === row;
        next = kept[i + 1]
      ) {
        cells.push(next)
        i++
      }
      parts.push(separator(previous, block), tableRow(cells, previous, row, baseUrl))
    } else {
      parts.push(separator(previous, block), oneBlock(block, baseUrl))
    }
    previous = kept[i] ?? block
  }
  return parts.join('').trim()
}

function separator(previous: Block | null, block: Block): string {
  if (previous === null) return ''
  const listed = isListed(previous.container) && isListed(block.container)
  const tabled =
    ancestorTag(previous.container, table) !== null &&
    ancestorTag(previous.container, table) === ancestorTag(block.container, table)
  return listed || tabled ? '\n' : '\n\n'
}

function oneBlock(block: Block, baseUrl: string): string {
  const { container } = block
  const quote = within(container, quoteSlot) ? '> ' : ''
  if (within(container, preSlot)) {
    const fence = block.text.includes('```') ? '~~~~' : '```'
    return prefixed(`${fence}\n${block.text}\n${fence}`, quote)
  }
  const text = inline(block, baseUrl)
  const heading = headingLevelOf(container.tag) || headingLevelOf(container.parent?.tag ?? '')
  if (heading > 0) return prefixed(`${'#'.repeat(heading)} ${text}`, quote)
  const item = ancestorTag(container, li)
  if (item !== null && item.depth >= container.depth - 2)
    return prefixed(listItem(item, text), quote)
  return prefixed(text, quote)
}

function listItem(item: Container, text: string): string {
  let nesting = 0
  for (let at = item.parent; at !== null; at = at.parent) if (at.tag === 'li') nesting++
  const marker = item.parent?.tag === 'ol' ? '1.' : '-'
  return `${'  '.repeat(Math.min(nesting, 6))}${marker} ${text}`
}

function tableRow(cells: Block[], previous: Block | null, row: Container, baseUrl: string): string {
  const own = ancestorTag(row, table)
  const texts = cells.map((cell) =>
    inline(cell, baseUrl).replaceAll('|', '\\|').replaceAll('\n', ' '),
  )
  const line = `| ${texts.join(' | ')} |`
  const starts = previous === null || ancestorTag(previous.container, table) !== own
  return starts ? `${line}\n|${' --- |'.repeat(texts.length)}` : line
}

function prefixed(text: string, prefix: string): string {
  return prefix === '' ? text : text.replace(/^/gm, prefix)
}

/** Text nodes with the links and emphasis they stand in. */
function inline(block: Block, baseUrl: string): string {
  if (isPlain(block)) return escaped(block.text)
  const pieces: { text: string; wrap: Element | null; style: string }[] = []
  for (const node of block.nodes) {
    const text = isText(node) ? node.data : '\n'
    const { link, style } = wrappers(isText(node) ? node.parent : node, block.container.element)
    const last = pieces.at(-1)
    if (last !== undefined && last.wrap === link && last.style === style) last.text += text
    else pieces.push({ text, wrap: link, style })
  }
  let out = ''
  for (const { text, wrap, style } of pieces)
    out += decorate(text.replace(/\s+/g, ' '), wrap, style, baseUrl)
  return out.replace(/ {2,}/g, ' ').trim()
}

/** Most blocks are one text without wrappers, which was read when the page was cut. */
function isPlain({ nodes: [only, second], container }: Block): boolean {
  return second === undefined && only?.parent === container.element && !within(container, preSlot)
}

function wrappers(from: unknown, stop: Element | null): { link: Element | null; style: string } {
  let link: Element | null = null
  let style = ''
  let at = from as Element | null
  for (let steps = 0; at !== null && at !== stop && isTag(at) && steps < 40; steps++) {
    if (at.name === 'a' && at.attribs['href'] !== undefined) link ??= at
    const mark = styles[at.name]
    if (mark !== undefined && !style.includes(mark)) style = mark + style
    at = at.parent as Element | null
  }
  return { link, style }
}

const styles: Record<string, string> = {
  b: '**',
  strong: '**',
  i: '_',
  em: '_',
  code: '`',
  kbd: '`',
  samp: '`',
  tt: '`',
}

function decorate(text: string, link: Element | null, style: string, baseUrl: string): string {
  const core = text.trim()
  if (core === '') return text
  const before = text.startsWith(' ') ? ' ' : ''
  const after = text.endsWith(' ') ? ' ' : ''
  const code = style.includes('`')
  let out = code ? `\`${core.replaceAll('`', "'")}\`` : escaped(core)
  if (!code && style !== '')
    out = `${style}${out}${[...style.matchAll(/\*\*|_/g)].map(String).reverse().join('')}`
  const href = link?.attribs['href']?.trim()
  if (href !== undefined && href !== '' && !href.startsWith('#') && URL.canParse(href, baseUrl)) {
    const url = new URL(href, baseUrl)
    if (/^(https?|mailto):$/.test(url.protocol))
      out = `[${out}](${url.href.replaceAll('(', '%28').replaceAll(')', '%29')})`
  }
  return before + out + after
}

/** Without the signs that would be read as Markdown. */
function escaped(text: string): string {
  return /[\\*_[\]]/.test(text) ? text.replace(/[\\*_[\]]/g, '\\$&') : text
}

function isListed(container: Container): boolean {
  const item = ancestorTag(container, li)
  return item !== null && item.depth >= container.depth - 2
}

interface TagSlot {
  tag: string
  slot: number
}

function ancestorTag(container: Container, { tag, slot }: TagSlot): Container | null {
  if (container.depth < far && !within(container, slot)) return null
  for (let at: Container | null = container; at !== null; at = at.parent)
    if (at.tag === tag) return at
  return null
}

function slotOf(tag: string): TagSlot {
  return { tag, slot: contextNames.indexOf(`tag:${tag}`) }
}

function within(container: Container, slot: number): boolean {
  return distanceTo(container, slot) < far
}

const tr = slotOf('tr')
const li = slotOf('li')
const table = slotOf('table')
const quoteSlot = contextNames.indexOf('tag:blockquote')
const preSlot = contextNames.indexOf('tag:pre')

import { isTag, isText } from 'domhandler'
import type { Page } from '../page.ts'
import type { Block } from './blocks.ts'
import { contextNames, distanceTo } from './containers.ts'
import { keyOf } from './keys.ts'
import { found, type Found } from './found.ts'
import { ldText, type Declared } from './structured.ts'

export interface FoundTitle {
  title: Found | null
  /** The block that shows it, or -1. */
  block: number
}

/** The headline: the heading the head agrees with best, else what the head says without the site's name. */
export function findTitle(
  page: Page,
  declared: Declared,
  blocks: readonly Block[],
  textStart: number,
): FoundTitle {
  const heads = headTitles(page, declared)
  const site = siteKeys(page, declared)
  const headings = topHeadings(blocks)
  const exact = new Set(heads.filter(({ path }) => path !== 'title').map(({ text }) => keyOf(text)))
  const keys = heads.map(({ text }) => keyOf(text))
  const parts = new Set(heads.flatMap(({ text }) => text.split(separators).map(keyOf)))
  let best: Block | null = null
  let bestScore = 2
  for (const block of headings) {
    const key = keyOf(block.text)
    if (key.length < 2) continue
    const near = block.index >= textStart - 15 && block.index <= textStart + 3
    const score =
      agreement(key, exact, parts, keys) +
      (isTop(block) ? 1.5 : 0) +
      (near ? 1 : 0) +
      (key.split(' ').length > 2 ? 0.5 : 0) -
      (block.text.endsWith(':') || isHidden(block) ? 2 : 0) -
      (site.has(key) || leadsHome(block, page.url) ? 4 : 0)
    if (score > bestScore) {
      best = block
      bestScore = score
    }
  }
  if (best !== null) {
    const confidence = Math.min(0.97, 0.6 + bestScore / 16)
    return { title: found(best.text, best.container.tag, confidence), block: best.index }
  }
  for (const { text, path, confidence } of heads) {
    const title = withoutSite(text, site)
    if (title !== '')
      return { title: found(title, path, confidence), block: blockSaying(title, blocks) }
  }
  const first = headings[0]
  if (first === undefined) return { title: null, block: -1 }
  return { title: found(first.text, first.container.tag, 0.5), block: first.index }
}

interface HeadTitle {
  text: string
  path: string
  confidence: number
}

function headTitles(page: Page, declared: Declared): HeadTitle[] {
  const { metas, article } = declared
  const social = metas.get('og:title')
  const candidates = [
    { text: ldText(article?.['headline']) ?? '', path: 'ld+json headline', confidence: 0.85 },
    { text: social ?? metas.get('twitter:title') ?? '', path: 'meta[og:title]', confidence: 0.8 },
    { text: page.scan.title ?? '', path: 'title', confidence: 0.75 },
  ]
  return candidates
    .map((candidate) => ({
      ...candidate,
      text: candidate.text.replace(/\s+/g, ' ').trim().slice(0, 500),
    }))
    .filter(({ text }) => text !== '')
}

/** The site's own name, as declared and as its host spells it. */
function siteKeys(page: Page, declared: Declared): Set<string> {
  const keys = new Set<string>()
  const name = declared.metas.get('og:site_name') ?? declared.metas.get('application-name')
  if (name !== undefined) keys.add(keyOf(name))
  if (URL.canParse(page.url)) {
    const host = new URL(page.url).hostname.replace(/^www\./, '')
    keys.add(keyOf(host))
    keys.add(keyOf(host.replace(/\.[^.]+$/, '')))
  }
  keys.delete('')
  return keys
}

function agreement(
  key: string,
  exact: ReadonlySet<string>,
  parts: ReadonlySet<string>,
  heads: readonly string[],
): number {
  if (exact.has(key)) return 4
  if (heads.some((head) => head.startsWith(`${key} `) && key.length > 7) || heads.includes(key))
    return 3
  if (parts.has(key)) return 2.5
  if (key.length > 7 && heads.some((head) => head.endsWith(` ${key}`))) return 1.5
  return key.length > 25 && heads.some((head) => head.length > 20 && key.includes(head)) ? 2 : 0
}

function topHeadings(blocks: readonly Block[]): Block[] {
  const out: Block[] = []
  for (const block of blocks) {
    if (block.text.length <= 300 && (isTop(block) || /^h[23]$/.test(block.container.tag)))
      out.push(block)
    if (out.length > 40) break
  }
  return out
}

function isTop({ container }: Block): boolean {
  return container.tag === 'h1' || distanceTo(container, h1Slot) <= 2
}

function isHidden({ container }: Block): boolean {
  return hiddenSlots.some((slot) => distanceTo(container, slot) <= 1)
}

const hiddenSlots = [contextNames.indexOf('hidden'), contextNames.indexOf('hint:hidden')]
const h1Slot = contextNames.indexOf('tag:h1')

/** A heading that links to the front page is the site's name. */
function leadsHome(block: Block, url: string): boolean {
  const text = block.nodes.find(isText)
  let at = text?.parent ?? null
  for (let up = 0; up < 6 && at !== null && isTag(at); up++, at = at.parent) {
    const href = at.name === 'a' ? at.attribs['href'] : undefined
    if (href === undefined || !URL.canParse(href, url)) continue
    const target = new URL(href, url)
    return target.pathname === '/' && target.search === '' && new URL(url).pathname !== '/'
  }
  return false
}

const separators = /\s+(?:[|–—»·•›:-]|::)\s+|\s*[|»›]\s*/

/** Drops the site's name and section names from either end of a title. */
function withoutSite(text: string, site: ReadonlySet<string>): string {
  const parts = text.split(separators)
  if (parts.length < 2) return text
  const last = parts.at(-1) ?? ''
  const first = parts[0] ?? ''
  const rest = text.slice(0, text.length - last.length).replace(/[\s|–—»·•›:-]+$/, '')
  if (site.has(keyOf(last))) return rest
  if (site.has(keyOf(first))) {
    return text.slice(text.indexOf(first) + first.length).replace(/^[\s|–—»·•›:-]+/, '')
  }
  return last.split(' ').length <= 4 && rest.split(' ').length >= 3 ? rest : text
}

function blockSaying(title: string, blocks: readonly Block[]): number {
  const key = keyOf(title)
  const shown = blocks.find(
    (block) => block.text.length < title.length + 40 && keyOf(block.text) === key,
  )
  return shown?.index ?? -1
}

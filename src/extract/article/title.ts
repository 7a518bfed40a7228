import type { Page } from '../page.ts'
import type { Block } from './blocks.ts'
import { contextNames, far } from './containers.ts'
import { keyOf } from './features.ts'
import { found, type Found } from './found.ts'
import { ldText, type Declared } from './structured.ts'

export interface FoundTitle {
  title: Found | null
  /** The block that shows it, or -1. */
  block: number
}

/** The headline: an h1 the head agrees with, else what the head says without the site's name. */
export function findTitle(page: Page, declared: Declared, blocks: readonly Block[]): FoundTitle {
  const tag = page.scan.title?.trim() ?? ''
  const social = declared.metas.get('og:title') ?? declared.metas.get('twitter:title') ?? ''
  const headline = ldText(declared.article?.['headline']) ?? ''
  const headings = topHeadings(blocks)
  const heads = [headline, social, tag].filter((text) => text !== '').map(keyOf)
  for (const block of headings) {
    const key = keyOf(block.text)
    if (key.length > 3 && heads.some((head) => head === key || agrees(head, key))) {
      return { title: found(block.text, block.container.tag, 0.95), block: block.index }
    }
  }
  const site = declared.metas.get('og:site_name') ?? ''
  const declaredTitle = [
    [headline, 'ld+json headline', 0.9],
    [social, 'meta[og:title]', 0.85],
    [tag, 'title', 0.8],
  ] as const
  for (const [text, path, confidence] of declaredTitle) {
    const title = withoutSite(text, site, headings)
    if (title !== '')
      return { title: found(title, path, confidence), block: blockSaying(title, blocks) }
  }
  const first = headings[0]
  if (first === undefined) return { title: null, block: -1 }
  return { title: found(first.text, first.container.tag, 0.6), block: first.index }
}

/** An h1 that is a whole part of the head's title, as in "Headline | Site". */
function agrees(head: string, key: string): boolean {
  if (key.length < 8 || !key.includes(' ')) return false
  return (
    head.startsWith(`${key} `) ||
    head.endsWith(` ${key}`) ||
    (key.length > 25 && key.startsWith(head) && head.length > 20)
  )
}

function topHeadings(blocks: readonly Block[]): Block[] {
  const one: Block[] = []
  const two: Block[] = []
  for (const block of blocks) {
    if (block.text.length > 300) continue
    if (block.container.tag === 'h1' || (block.container.distance[h1Slot] ?? far) <= 2)
      one.push(block)
    else if (block.container.tag === 'h2' && two.length < 20) two.push(block)
    if (one.length > 20) break
  }
  return [...one, ...two]
}

const h1Slot = contextNames.indexOf('tag:h1')

/** Drops the site's name and section names from either end of a title. */
function withoutSite(raw: string, site: string, headings: readonly Block[]): string {
  const text = raw.replace(/\s+/g, ' ').trim().slice(0, 500)
  const parts = text.split(/\s+[|–—»·•›:-]\s+|\s*[|»›]\s*/)
  if (parts.length < 2) return text
  const siteKey = keyOf(site)
  const shown = parts.find(
    (part) => part.length > 3 && headings.some((block) => keyOf(block.text) === keyOf(part)),
  )
  if (shown !== undefined && keyOf(shown) !== siteKey) return shown
  const last = parts.at(-1) ?? ''
  const first = parts[0] ?? ''
  if (siteKey !== '' && keyOf(last) === siteKey) return cutEnd(text, last)
  if (siteKey !== '' && keyOf(first) === siteKey)
    return text.slice(text.indexOf(first) + first.length).replace(/^[\s|–—»·•›:-]+/, '')
  const rest = cutEnd(text, last)
  return last.split(' ').length <= 4 && rest.split(' ').length >= 3 ? rest : text
}

function cutEnd(text: string, last: string): string {
  return text.slice(0, text.length - last.length).replace(/[\s|–—»·•›:-]+$/, '')
}

function blockSaying(title: string, blocks: readonly Block[]): number {
  const key = keyOf(title)
  return (
    blocks.find((block) => block.text.length < title.length + 40 && keyOf(block.text) === key)
      ?.index ?? -1
  )
}

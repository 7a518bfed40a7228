import { isTag, type Element } from 'domhandler'
import { eld } from 'eld/small'
import type { Page } from '../page.ts'
import type { Block, Segmented } from './blocks.ts'
import { firstOf, found, fromMeta, type Found } from './found.ts'
import { ldText, typesOf, type Declared } from './structured.ts'

// Smaller facts about an article: picture, section, language, canonical address, barrier.

export function findImage(page: Page, declared: Declared, kept: readonly Block[]): Found | null {
  const check = (value: string): string | null => absolute(value, page.scan.baseUrl)
  const declaredImage = ldText(declared.article?.['image'], ['url', 'contentUrl', '@id'])
  const ldImage = declaredImage === null ? null : check(declaredImage)
  const link = page.scan.linkTags.find((tag) => tag.rel === 'image_src')
  return firstOf(
    () =>
      fromMeta(
        declared.metas,
        ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'],
        0.9,
        check,
      ),
    () => (ldImage === null ? null : found(ldImage, 'ld+json image', 0.9)),
    () => (link === undefined ? null : found(link.href, 'link[image_src]', 0.8)),
    () => imageInText(kept, check),
  )
}

function imageInText(
  kept: readonly Block[],
  check: (value: string) => string | null,
): Found | null {
  const seen = new Set<Element>()
  for (const block of kept.slice(0, 12)) {
    const parent = block.container.parent?.element
    if (parent === null || parent === undefined || seen.has(parent)) continue
    seen.add(parent)
    const image = firstImage(parent)
    const source = image?.attribs['data-src'] ?? image?.attribs['src']
    const href = source === undefined ? null : check(source)
    if (href !== null) return found(href, 'img', 0.5)
  }
  return null
}

function firstImage(root: Element): Element | null {
  const stack: Element[] = [root]
  for (let steps = 0; stack.length > 0 && steps < 300; steps++) {
    const element = stack.pop()
    if (element === undefined) break
    const small = Number(element.attribs['width'] ?? 1000) < 200
    if (element.name === 'img' && !small && !(element.attribs['src'] ?? '').startsWith('data:'))
      return element
    for (let i = element.children.length - 1; i >= 0; i--) {
      const child = element.children[i]
      if (child !== undefined && isTag(child)) stack.push(child)
    }
  }
  return null
}

export function findSection(declared: Declared): Found | null {
  const section = ldText(declared.article?.['articleSection'])
  return firstOf(
    () =>
      fromMeta(
        declared.metas,
        [
          'article:section',
          'og:article:section',
          'parsely-section',
          'section',
          'category',
          'news_section',
        ],
        0.9,
      ),
    () => (section === null ? null : found(section, 'ld+json articleSection', 0.9)),
    () => fromBreadcrumbs(declared),
  )
}

/** The last breadcrumb before the page itself. */
function fromBreadcrumbs(declared: Declared): Found | null {
  const trail = declared.nodes.find((node) => typesOf(node).includes('BreadcrumbList'))?.[
    'itemListElement'
  ]
  if (!Array.isArray(trail) || trail.length < 3) return null
  const names = trail
    .slice(0, 20)
    .map((entry: unknown) => ldText(entry) ?? ldText((entry as { item?: unknown })?.item))
  const name = names.at(-2)
  return name === null || name === undefined ? null : found(name, 'ld+json BreadcrumbList', 0.6)
}

/** What the text is written in; a declaration counts unless it is the usual default and the text clearly speaks otherwise. */
export function findLanguage(page: Page, declared: Declared, text: string): Found | null {
  const tag =
    page.scan.lang ??
    declared.metas.get('content-language') ??
    declared.metas.get('og:locale') ??
    ''
  const code = /^[a-z]{2,3}(?=$|[-_,])/i.exec(tag.trim())?.[0].toLowerCase()
  // Templates left at their default say English; other declarations are made on purpose.
  if (code === undefined || (code === 'en' && text.length >= 200)) {
    const guess = eld.detect(text.slice(0, 350))
    if (guess.language !== '' && guess.isReliable() && guess.language !== code) {
      return found(guess.language, 'text', code === undefined ? 0.8 : 0.7)
    }
  }
  return code === undefined ? null : found(code, 'html[lang]', 0.9)
}

export function findCanonical(page: Page, declared: Declared): Found | null {
  const { canonical, baseUrl } = page.scan
  if (canonical !== null) return found(canonical, 'link[canonical]', 0.95)
  return fromMeta(declared.metas, ['og:url'], 0.8, (value) => absolute(value, baseUrl))
}

export function findPaywall(declared: Declared, cut: Segmented, words: number): Found | null {
  for (const node of declared.nodes) {
    const free = node['isAccessibleForFree']
    if (free === false || (typeof free === 'string' && /^(false|no|0)$/i.test(free))) {
      return found('true', 'ld+json isAccessibleForFree', 0.9)
    }
  }
  const tier = declared.metas.get('article:content_tier')
  if (tier !== undefined && /locked|paid|premium/i.test(tier))
    return found('true', 'meta[article:content_tier]', 0.9)
  const wall = cut.marks.find(({ element }) =>
    /paywall|regwall|subscriber-only/i.test(
      element.attribs['class'] ?? element.attribs['id'] ?? '',
    ),
  )
  // Many sites carry the element unused; with a full text behind it there is no wall.
  return wall !== undefined && words < 250 ? found('true', '.paywall', 0.6) : null
}

function absolute(value: string, base: string): string | null {
  const href = value.trim()
  if (href === '' || href.startsWith('data:') || !URL.canParse(href, base)) return null
  const url = new URL(href, base)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
}

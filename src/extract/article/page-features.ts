import type { Page } from '../page.ts'
import type { Segmented } from './blocks.ts'
import { ancestor } from './branches.ts'
import { contextNames, distanceTo, far, type Container } from './containers.ts'
import type { Declared } from './structured.ts'

export const pageNames = [
  'page words',
  'page link share',
  'page prose',
  'page blocks',
  'home share',
  'home link share',
  'home prose',
  'article tags',
  'h1 count',
  'declared article',
  'declared product',
  'declared listing',
  'declared forum',
  'og article',
  'path depth',
  'path length',
  'path digits',
  'is root',
  'list words share',
  'date blocks',
  'has declared body',
  'forum hints',
  'p words share',
]

/** What holds for the whole page, the same for each of its blocks. */
export function pageRow(
  page: Page,
  declared: Declared,
  cut: Segmented,
  home: Container | null,
  dated: boolean[],
  body: string,
): Float32Array {
  const { blocks, root } = cut
  const articles = new Set<Container>()
  let h1 = 0
  let listWords = 0
  let pWords = 0
  let forum = 0
  const articleSlot = contextNames.indexOf('tag:article')
  const forumSlot = contextNames.indexOf('hint:forum')
  for (const { container, shape } of blocks) {
    if (container.tag === 'h1') h1++
    if (container.tag === 'li') listWords += shape.words
    if (container.tag === 'p') pWords += shape.words
    if (distanceTo(container, forumSlot) < far) forum += shape.words
    const steps = distanceTo(container, articleSlot)
    if (steps < far) articles.add(ancestor(container, steps))
  }
  const path = pathOf(page.url)
  const total = Math.max(1, root.words)
  const has = (pattern: RegExp): number =>
    [...declared.types].some((type) => pattern.test(type)) ? 1 : 0
  return Float32Array.of(
    root.words,
    root.linkWords / total,
    root.proseWords,
    blocks.length,
    home === null ? 0 : home.words / total,
    home === null ? 1 : home.linkWords / Math.max(1, home.words),
    home === null ? 0 : home.proseWords / Math.max(1, root.proseWords),
    articles.size,
    h1,
    declared.article === null ? 0 : 1,
    has(/^Product/),
    has(/^(CollectionPage|ItemList|SearchResultsPage|Blog)$/),
    has(/Forum|QAPage|Question/),
    declared.metas.get('og:type') === 'article' ? 1 : 0,
    path.split('/').filter((part) => part !== '').length,
    path.length,
    path.replace(/\D/g, '').length,
    path === '/' || path === '' ? 1 : 0,
    listWords / total,
    dated.filter(Boolean).length,
    body === '' ? 0 : 1,
    forum / total,
    pWords / total,
  )
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : ''
}

import { linkKind } from './links/link-kind.ts'
import type { Page } from './page.ts'
import type { StrategyContext } from './strategy.ts'
import type { RawItem } from './types.ts'

const MIN_ARTICLE_LINKS = 0.6
const MIN_SURE_ARTICLE = 0.5

/** Why items cannot stand although a strategy found them; null when they can. Only guesses by looks are doubted. */
export function whyNot(
  items: readonly RawItem[],
  page: Page,
  { preferredKind }: StrategyContext,
): string | null {
  const [first] = items
  if (first === undefined || (first.strategy !== 'dom' && first.strategy !== 'article')) return null
  if (preferredKind !== undefined && items.every((item) => item.kind !== preferredKind))
    return first.kind === 'article' ? 'articles on a calendar' : 'dates on a news source'
  if (preferredKind === undefined && first.kind === 'calendar_event' && tellsNews(items, page))
    return 'the dates are those of publication'
  if (first.strategy === 'article' && isSection(first, page)) return 'the page of a section'
  return null
}

/** Nothing lies ahead, and the page or what it links to is written as news. */
function tellsNews(items: readonly RawItem[], page: Page): boolean {
  const today = page.fetchedAt.toISOString().slice(0, 10)
  if (items.some((item) => (item.calendar?.start ?? '').slice(0, 10) > today)) return false
  if (items.length === 1) return isArticlePage(page)
  const news = items.filter((item) => item.url !== null && linkKind(item.url) === 'article')
  return news.length >= items.length * MIN_ARTICLE_LINKS
}

/** Hardly like an article, and named as its folder is. */
function isSection({ title, confidence }: RawItem, page: Page): boolean {
  if (confidence >= MIN_SURE_ARTICLE || !URL.canParse(page.url)) return false
  const folder = new URL(page.url).pathname.split('/').findLast((part) => part !== '') ?? ''
  return folder !== '' && plain(folder) === plain(title)
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function isArticlePage(page: Page): boolean {
  return (
    linkKind(page.url) === 'article' ||
    page.scan.metas.some(
      ({ key, content }) =>
        (key === 'og:type' && /^article$/i.test(content)) || key === 'article:published_time',
    )
  )
}

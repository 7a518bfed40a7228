import { ownItem } from './complete-items.ts'
import type { Page } from './page.ts'
import { splitPlace } from './split-place.ts'
import type { FieldOrigin, RawItem } from './types.ts'

const MAX_TITLE = 500

/** What holds for every strategy: the page's own item has the page's address, places are in parts, languages are codes. */
export function finishItems(items: readonly RawItem[], page: Page): RawItem[] {
  const own = ownItem(items, page)
  return items.map((item) => {
    const finished = withLanguage(withPlaces(item), page)
    return item === own ? asOwn(finished, page) : finished
  })
}

function withPlaces(item: RawItem): RawItem {
  const { calendar } = item
  if (calendar === null || calendar.locations.length === 0) return item
  return { ...item, calendar: { ...calendar, locations: calendar.locations.map(splitPlace) } }
}

function withLanguage(item: RawItem, page: Page): RawItem {
  const code = codeOf(item.language)
  if (code !== null) return code === item.language ? item : { ...item, language: code }
  const declared = item.strategy === 'feed' ? null : codeOf(page.scan.lang)
  if (declared === null) return item.language === null ? item : { ...item, language: null }
  const origin = originOf(item, 'html[lang]', page.scan.lang ?? '')
  return { ...item, language: declared, provenance: { ...item.provenance, language: origin } }
}

function codeOf(language: string | null): string | null {
  return /^[a-z]{2,3}(?=$|[-_])/i.exec(language?.trim() ?? '')?.[0].toLowerCase() ?? null
}

/** A page about one thing links to many; none of those links is the thing. */
function asOwn(item: RawItem, page: Page): RawItem {
  if (item.strategy === 'feed') return item
  const described = withDescription(item, page)
  if (item.url !== null && !(item.strategy === 'dom' && isNamed(item, page))) return described
  if (item.url === null && !isNamed(item, page) && item.kind === 'calendar_event') return described
  const url = page.scan.canonical ?? page.url
  const path = page.scan.canonical === null ? 'address of the page' : 'link[rel=canonical]'
  return {
    ...described,
    url,
    provenance: { ...described.provenance, url: originOf(item, path, url) },
  }
}

/** The page's title or its shared title is the item's. */
function isNamed(item: RawItem, page: Page): boolean {
  const title = plain(item.title)
  if (title.length < 3) return false
  const names = [
    page.scan.title ?? '',
    ...page.scan.metas.filter(({ key }) => key === 'og:title').map(({ content }) => content),
  ]
  return names.some((name) => plain(name).includes(title))
}

function withDescription(item: RawItem, page: Page): RawItem {
  if (item.description !== null || !isNamed(item, page)) return item
  const meta = page.scan.metas.find(
    ({ key, content }) => (key === 'og:description' || key === 'description') && content !== '',
  )
  if (meta === undefined) return item
  const origin = originOf(item, `meta[${meta.key}]`, meta.content)
  return {
    ...item,
    description: meta.content,
    provenance: { ...item.provenance, description: origin },
  }
}

function originOf(item: RawItem, path: string, snippet: string): FieldOrigin {
  return { strategy: item.strategy, path, confidence: 0.8, snippet: snippet.slice(0, 160) }
}

function plain(text: string): string {
  return text
    .slice(0, MAX_TITLE)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

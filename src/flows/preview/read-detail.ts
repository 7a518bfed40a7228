import type { RawItem, StrategyName } from '../../extract/types.ts'
import { sameSite } from '../../kernel/url.ts'
import type { PreviewDeps } from './preview-source.ts'
import { readExtra, type ExtraLimits } from './read-extras.ts'
import type { PageFinding } from './read-page.ts'

export interface DetailFinding {
  url: string
  state: 'read' | 'failed' | 'not_asked'
  reason: string | null
  strategy: StrategyName | null
  item: RawItem | null
}

/** What an item's own page adds to the list: most of a crawl is reading those. */
export async function readDetail(
  deps: PreviewDeps,
  page: PageFinding,
  limits: ExtraLimits,
): Promise<DetailFinding | null> {
  const url = ownPageOf(page)
  if (url === null) return null
  if (!limits.allowed) return { url, state: 'not_asked', reason: null, strategy: null, item: null }
  const { state, reason, parsed } = await readExtra(deps, url, 'page', limits)
  const [item = null] = parsed?.items ?? []
  return { url, state, reason, strategy: parsed?.strategy ?? null, item }
}

function ownPageOf(page: PageFinding): string | null {
  if (page.survey === null) return null
  const { items, links } = page.survey.parsed
  const own = (url: string | null): url is string =>
    url !== null && url !== page.url && sameSite(url, page.url)
  const ofItem = items.map((item) => item.url).find(own)
  if (ofItem !== undefined) return ofItem
  const kinds = new Set(['article', 'event'])
  return links.find((link) => kinds.has(link.kind) && own(link.url))?.url ?? null
}

import { parseSitemap } from '../../crawl/sitemaps/index.ts'

export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const { type, urls } = parseSitemap(String(input['xml']))
  return { type, urls: urls.map(({ loc, lastmod }) => ({ loc, lastmod })) }
}

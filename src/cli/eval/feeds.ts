import { parseFeed } from '../../extract/feeds/index.ts'

export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const feed = parseFeed(String(input['xml']))
  const items = feed?.items ?? []
  return { items: items.map(({ title, link, date, guid }) => ({ title, link, date, guid })) }
}

import { openPage } from '../../extract/page.ts'
import { readHydration } from '../../extract/hydration/read-hydration.ts'

/** The state of a page, each object written once although state trees share and repeat them. */
export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const page = openPage({
    url: String(input['url']),
    body: String(input['html']),
    contentType: 'text/html',
    fetchedAt: new Date(0),
  })
  const seen = new Set<object>()
  return {
    data: readHydration(page).map(({ framework, path, data }) => ({
      framework,
      path,
      data: once(data, seen, 0),
    })),
  }
}

function once(value: unknown, seen: Set<object>, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (seen.has(value) || depth > 500) return null
  seen.add(value)
  if (Array.isArray(value)) return value.map((item) => once(item, seen, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, once(inner, seen, depth + 1)]),
  )
}

import { resolveUrl } from '../../kernel/url.ts'

export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const base = typeof input['base'] === 'string' ? input['base'] : null
  return { href: resolveUrl(String(input['url']), base) }
}

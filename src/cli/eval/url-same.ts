import { normalizeUrl } from '../../kernel/url.ts'

export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const a = String(input['a'])
  const b = String(input['b'])
  return { same: (normalizeUrl(a) ?? a) === (normalizeUrl(b) ?? b) }
}

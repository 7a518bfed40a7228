import type { Page } from '../page.ts'
import type { Declared } from './structured.ts'

/** Letters and digits only, lower case, single spaces. */
export function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Every way the head spells the title, whole and in parts. */
export function titleKeys(page: Page, declared: Declared): string[] {
  const raw = [
    page.scan.title,
    declared.metas.get('og:title'),
    declared.metas.get('twitter:title'),
    declared.article?.['headline'],
  ]
  const keys = new Set<string>()
  for (const declaredTitle of raw) {
    if (typeof declaredTitle !== 'string') continue
    const title = declaredTitle.slice(0, 500)
    keys.add(keyOf(title))
    for (const part of title.split(/\s+[-–—|»·:]\s+/)) if (part.length > 12) keys.add(keyOf(part))
  }
  keys.delete('')
  return [...keys]
}

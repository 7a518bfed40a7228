import type { Page } from '../page.ts'

/** Two letters of the language the page says it is in, else the source's. */
export function languageOf(page: Page): string | null {
  return (page.scan.lang ?? page.locale ?? null)?.slice(0, 2).toLowerCase() ?? null
}

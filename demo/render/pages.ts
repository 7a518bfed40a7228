import type { PageKind, Resource, SiteContext } from '../types.ts'

export interface Pages {
  resources: Map<string, Resource>
  url(path: string): string
  html(path: string, kind: PageKind, body: string, lastModified?: Date): void
  file(path: string, type: string, body: string, options?: Partial<Resource>): void
  redirect(path: string, to: string, status?: number): void
  robots(lines: string[], sitemaps?: string[]): void
}

/** Collects what a site answers. `kind` marks an address that a perfect crawl fetches. */
export function createPages(context: SiteContext): Pages {
  const resources = new Map<string, Resource>()
  const started = new Date(context.now.getTime() - 3 * 86_400_000)
  const file: Pages['file'] = (path, type, body, options = {}) => {
    resources.set(path, { body, type, lastModified: started, ...options })
  }
  return {
    resources,
    url: (path) => context.origin + path,
    html: (path, kind, body, lastModified = started) =>
      file(path, htmlType, body, { page: kind, lastModified }),
    file,
    redirect: (path, to, status = 301) =>
      file(path, htmlType, `<a href="${to}">${to}</a>`, { status, headers: { location: to } }),
    robots: (lines, sitemaps = []) =>
      file(
        '/robots.txt',
        'text/plain; charset=utf-8',
        [...lines, '', ...sitemaps.map((path) => `Sitemap: ${context.origin}${path}`), ''].join(
          '\n',
        ),
      ),
  }
}

export const allowAll = ['User-agent: *', 'Disallow:']

/** The latest change of a group of items, for listings and feeds. */
export function latest(items: readonly { updatedAt: Date }[], fallback: Date): Date {
  const times = items.map((item) => item.updatedAt.getTime())
  return times.length === 0 ? fallback : new Date(Math.max(...times))
}

/** Cuts a list into numbered pages; an empty list still has one page. */
export function paginate<T>(list: readonly T[], size: number): T[][] {
  const pages: T[][] = []
  for (let i = 0; i < list.length; i += size) pages.push(list.slice(i, i + size))
  return pages.length === 0 ? [[]] : pages
}

const htmlType = 'text/html; charset=utf-8'

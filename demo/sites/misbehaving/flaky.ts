import { makeArticles } from '../../generate/articles.ts'
import { articlesOf } from '../../generate/kinds.ts'
import { escapeHtml, htmlPage } from '../../render/html.ts'
import { allowAll, createPages, latest } from '../../render/pages.ts'
import { plainTheme } from '../../render/plain-events.ts'
import { truthOfArticle } from '../../render/truth.ts'
import type { DemoArticle, Rendered, Resource, SiteContext, SiteDefinition } from '../../types.ts'

export const flaky: SiteDefinition = {
  key: 'flaky',
  name: 'The Moorland Post',
  kind: 'news',
  behaviour: 'misbehaving',
  description: '500 on the first two tries of every article, then fine',
  source: { timezone: 'Europe/London', locale: 'en' },
  create: (context) => {
    const articles = makeArticles(context, context.dealStories('en', 5), { language: 'en' })
    const tries = new Map<string, number>()
    return {
      items: articles.slice(0, 4),
      reserve: articles.slice(4),
      render: (items) => render(context, articlesOf(items)),
      intercept: (request, wire) => {
        if (!request.path.startsWith('/story/')) return false
        const count = (tries.get(request.path) ?? 0) + 1
        tries.set(request.path, count)
        if (count > 2) return false
        wire.send(failure)
        return true
      },
      reset: () => tries.clear(),
    }
  },
}

function render(context: SiteContext, articles: DemoArticle[]): Rendered {
  const pages = createPages(context)
  pages.robots(allowAll)
  const list = `<h1>Latest</h1>${articles.map((a) => `<h2><a href="${pathOf(a)}">${escapeHtml(a.title)}</a></h2><p>${escapeHtml(a.lead)}</p>`).join('\n')}`
  pages.html(
    '/',
    'listing',
    htmlPage(theme, { title: theme.name, main: list }),
    latest(articles, context.now),
  )
  for (const article of articles) {
    const main = `<article><h1>${escapeHtml(article.title)}</h1><p class="byline">By ${escapeHtml(article.author)} <time datetime="${article.publishedAt.toISOString()}">${article.publishedAt.toUTCString()}</time></p>${[article.lead, ...article.paragraphs].map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}</article>`
    const page = htmlPage(theme, {
      title: `${article.title} - ${theme.name}`,
      description: article.lead,
      head: `<meta property="og:type" content="article"><meta property="article:published_time" content="${article.publishedAt.toISOString()}">`,
      main,
    })
    pages.html(pathOf(article), 'page', page, article.updatedAt)
  }
  return {
    resources: pages.resources,
    strategy: 'article',
    items: articles.map((a) => truthOfArticle(a, pages.url(pathOf(a)), { section: null })),
  }
}

const failure: Resource = {
  status: 500,
  type: 'text/html; charset=utf-8',
  body: '<!doctype html><title>Error</title><h1>Internal Server Error</h1>',
  lastModified: new Date(0),
}

const pathOf = (article: DemoArticle): string => `/story/${article.slug}`
const theme = {
  ...plainTheme('The Moorland Post', 'News from the tops', '#4e342e'),
  language: 'en' as const,
  nav: [{ href: '/', label: 'Latest' }],
}

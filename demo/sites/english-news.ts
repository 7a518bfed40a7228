import { makeArticles } from '../generate/articles.ts'
import { articlesOf } from '../generate/kinds.ts'
import { dateWords, localOf } from '../generate/local-time.ts'
import { escapeHtml, htmlPage, type Theme } from '../render/html.ts'
import { allowAll, createPages, latest, type Pages } from '../render/pages.ts'
import { truthOfArticle } from '../render/truth.ts'
import { atom } from '../render/xml.ts'
import type { DemoArticle, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const englishNews: SiteDefinition = {
  key: 'english-news',
  name: 'The Airedale Courier',
  kind: 'news',
  behaviour: 'good',
  description: 'English newspaper with an Atom feed and no sitemap',
  source: { timezone: 'Europe/London', locale: 'en', tags: ['demo', 'good', 'news'] },
  create: (context) => {
    const articles = makeArticles(context, context.dealStories('en', 15), { language: 'en' })
    return {
      items: articles.slice(0, 13),
      reserve: articles.slice(13),
      render: (items) => render(context, articlesOf(items)),
    }
  },
}

function render(context: SiteContext, articles: DemoArticle[]): Rendered {
  const pages = createPages(context)
  const changed = latest(articles, context.now)
  pages.robots(allowAll)
  pages.html('/', 'listing', listing('Latest from the valley', articles, '/'), changed)
  for (const section of sections) {
    const own = articles.filter((article) => article.section === section)
    pages.html(`/${section}/`, 'listing', listing(title(section), own, `/${section}/`), changed)
  }
  for (const article of articles) {
    pages.html(pathOf(article), 'page', articlePage(pages, article), article.updatedAt)
  }
  const about =
    '<h1>About the Courier</h1><p>Founded by mill workers in 1871 and still owned by its readers.</p>'
  pages.html('/about/', 'page', htmlPage(theme, { title: 'About the Courier', main: about }))
  addFeed(pages, articles, changed)
  return {
    resources: pages.resources,
    strategy: 'article',
    items: articles.map((article) =>
      truthOfArticle(article, pages.url(pathOf(article)), { boilerplate: [promo] }),
    ),
  }
}

function listing(heading: string, articles: DemoArticle[], path: string): string {
  const main = `<h1>${heading}</h1>
${articles
  .map(
    (article) =>
      `<article class="card"><img src="/img/${article.slug}.svg" alt="" width="160" height="90"><div><h2><a href="${pathOf(article)}">${escapeHtml(article.title)}</a></h2><p class="standfirst">${escapeHtml(article.lead)}</p><p class="meta">${englishDate(article.publishedAt)} · <a href="/${article.section}/">${title(article.section)}</a></p></div></article>`,
  )
  .join('\n')}`
  return htmlPage(theme, {
    title: path === '/' ? theme.name : `${heading} - ${theme.name}`,
    head: feedLink,
    main,
    aside:
      '<section><h2>Puzzle of the day</h2><p>Seven across: stubborn as a mule, perhaps (8).</p></section>',
  })
}

function articlePage(pages: Pages, article: DemoArticle): string {
  const main = `<article>
  <header><p class="kicker"><a href="/${article.section}/">${title(article.section)}</a></p>
  <h1 class="headline">${escapeHtml(article.title)}</h1>
  <p class="standfirst lead">${escapeHtml(article.lead)}</p>
  <div class="byline meta">By <a rel="author nofollow" href="https://social.example/${encodeURIComponent(article.author)}">${escapeHtml(article.author)}</a><br><time datetime="${article.publishedAt.toISOString()}">${englishDate(article.publishedAt)}</time></div></header>
  <div class="story-body">
${article.paragraphs.map((text) => `    <p>${escapeHtml(text)}</p>`).join('\n')}
  </div>
</article>
<div class="promo ad">${promo}</div>`
  return htmlPage(theme, {
    title: `${article.title} - ${theme.name}`,
    description: article.lead,
    canonical: pages.url(pathOf(article)),
    head: `${feedLink}
<meta property="og:type" content="article">
<meta property="og:site_name" content="${theme.name}">
<meta property="og:title" content="${escapeHtml(article.title)}">
<meta property="article:published_time" content="${article.publishedAt.toISOString()}">
<meta property="article:section" content="${title(article.section)}">`,
    main,
  })
}

function addFeed(pages: Pages, articles: DemoArticle[], updated: Date): void {
  const head = {
    title: theme.name,
    link: pages.url('/'),
    self: pages.url('/feed.atom'),
    language: 'en',
    description: theme.tagline,
    updated,
  }
  const entries = articles.map((article) => ({
    title: article.title,
    link: pages.url(pathOf(article)),
    summary: article.lead,
    content: [article.lead, ...article.paragraphs]
      .map((text) => `<p>${escapeHtml(text)}</p>`)
      .join('\n'),
    author: article.author,
    section: article.section,
    published: article.publishedAt,
    updated: article.updatedAt,
  }))
  pages.file('/feed.atom', 'application/atom+xml; charset=utf-8', atom(head, entries), {
    page: 'feed',
    lastModified: updated,
  })
}

function englishDate(instant: Date): string {
  const words = dateWords(localOf(instant, 'Europe/London'), 'en')
  return `${words.weekday} ${words.day} ${words.month} ${words.year} ${words.time}`
}

const pathOf = (article: DemoArticle): string =>
  `/${article.section}/${article.slug}-${article.id.split('-').at(-1)}/`
const title = (section: string): string => section.charAt(0).toUpperCase() + section.slice(1)

const sections = ['local', 'business', 'culture', 'sport']
const feedLink = '<link rel="alternate" type="application/atom+xml" title="Atom" href="/feed.atom">'

const promo = 'Support local reporting: become a member from four pounds a month.'

const theme: Theme = {
  name: 'The Airedale Courier',
  tagline: 'Reader-owned news from the Aire valley',
  accent: '#1c4a5a',
  language: 'en',
  nav: [
    { href: '/', label: 'Front page' },
    ...sections.map((section) => ({ href: `/${section}/`, label: title(section) })),
    { href: '/about/', label: 'About' },
  ],
  about: 'Printed on Thursdays, online all week, owned by its readers since 1871.',
}

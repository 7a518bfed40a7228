import { makeArticles } from '../generate/articles.ts'
import { articlesOf } from '../generate/kinds.ts'
import { dateWords, instantWithOffset, localOf } from '../generate/local-time.ts'
import { escapeHtml, htmlPage, type Theme } from '../render/html.ts'
import { allowAll, createPages, latest, paginate, type Pages } from '../render/pages.ts'
import { truthOfArticle } from '../render/truth.ts'
import { rss, sitemap, sitemapIndex } from '../render/xml.ts'
import type { DemoArticle, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const dutchNews: SiteDefinition = {
  key: 'dutch-news',
  name: 'De Merwebode',
  kind: 'news',
  behaviour: 'good',
  description: 'Regional newspaper: sections, pagination, sitemap index, news sitemap, RSS',
  source: { priority: 'high', tags: ['demo', 'good', 'news'] },
  create: (context) => {
    const articles = makeArticles(context, context.dealStories('nl', 26), { language: 'nl' })
    return {
      items: articles.slice(0, 23),
      reserve: articles.slice(23),
      render: (items) => render(context, articlesOf(items)),
    }
  },
}

function render(context: SiteContext, articles: DemoArticle[]): Rendered {
  const pages = createPages(context)
  pages.html('/', 'listing', home(articles), latest(articles, context.now))
  for (const section of sections) addSection(pages, section, articles)
  for (const article of articles) {
    pages.html(pathOf(article), 'page', articlePage(pages, article, articles), article.updatedAt)
  }
  for (const page of staticPages) {
    const main = `<h1>${page.title}</h1>\n${page.text.map((text) => `<p>${text}</p>`).join('\n')}`
    pages.html(page.path, 'page', htmlPage(theme, { title: `${page.title} | ${theme.name}`, main }))
  }
  addFeeds(context, pages, articles)
  pages.redirect('/index.html', '/')
  return {
    resources: pages.resources,
    strategy: 'article',
    items: articles.map((article) =>
      truthOfArticle(article, pages.url(pathOf(article)), { boilerplate }),
    ),
  }
}

function home(articles: DemoArticle[]): string {
  const main = `<h1>Het nieuws uit de streek</h1>
${articles
  .slice(0, 10)
  .map((article, index) => card(article, index % 3 === 1 ? '?utm_source=home&utm_medium=blok' : ''))
  .join('\n')}
<div class="ad" aria-label="advertentie">Advertentie: Keukencentrum De Waard, vijf verdiepingen inspiratie</div>
<p><a href="/regio">Meer nieuws uit de regio</a></p>`
  return htmlPage(theme, {
    title: `${theme.name} | nieuws uit de Alblasserwaard`,
    description: theme.tagline,
    head: feedLink,
    main,
    aside: mostRead(articles),
  })
}

function addSection(pages: Pages, section: string, articles: DemoArticle[]): void {
  const own = articles.filter((article) => article.section === section)
  const parts = paginate(own, 4)
  parts.forEach((part, index) => {
    const main = `<h1>${title(section)}</h1>
${part.map((article) => card(article, '')).join('\n')}
<ul class="pagination">${parts
      .map((_, number) =>
        number === index
          ? `<li><span aria-current="page">${number + 1}</span></li>`
          : `<li><a href="${sectionPath(section, number)}">${number + 1}</a></li>`,
      )
      .join(
        '',
      )}${index + 1 < parts.length ? `<li><a rel="next" href="${sectionPath(section, index + 1)}">Volgende</a></li>` : ''}</ul>`
    pages.html(
      sectionPath(section, index),
      'listing',
      htmlPage(theme, {
        title: `${title(section)} | ${theme.name}`,
        head: feedLink,
        main,
        aside: mostRead(articles),
      }),
      latest(own, new Date(0)),
    )
  })
}

function articlePage(pages: Pages, article: DemoArticle, all: DemoArticle[]): string {
  const published = instantWithOffset(article.publishedAt, zone)
  const related = all.filter((other) => other !== article && other.section === article.section)
  const [first = '', ...rest] = article.paragraphs
  const main = `<nav class="small" aria-label="kruimelpad"><a href="/">Home</a> › <a href="/${article.section}">${title(article.section)}</a></nav>
<article class="artikel">
  <h1>${escapeHtml(article.title)}</h1>
  <p class="meta">Door <span class="auteur" rel="author">${escapeHtml(article.author)}</span> · <time datetime="${published}">${dutchDate(article.publishedAt)}</time></p>
  <figure><img src="/img/${article.slug}.svg" alt="" width="640" height="360"><figcaption class="small">Archiefbeeld</figcaption></figure>
  <p class="lead intro">${escapeHtml(article.lead)}</p>
  <p>${escapeHtml(first)}</p>
  <div class="ad">${boilerplate[0]}</div>
${rest.map((text) => `  <p>${escapeHtml(text)}</p>`).join('\n')}
</article>
<ul class="deel small"><li><a rel="nofollow" href="https://social.example/share?url=${encodeURIComponent(pages.url(pathOf(article)))}">Deel dit bericht</a></li></ul>
<section class="related"><h2>Lees ook</h2><ul>
${related
  .slice(0, 4)
  .map(
    (other) =>
      `  <li><a href="${pathOf(other)}?utm_source=artikel&amp;utm_campaign=leesook">${escapeHtml(other.title)}</a></li>`,
  )
  .join('\n')}
</ul></section>
<section class="reacties" id="reacties"><h2>Reacties (2)</h2>
  <div class="reactie"><strong>Waardbewoner</strong><p>${boilerplate[1]}</p></div>
  <div class="reactie"><strong>P. uit S.</strong><p>${boilerplate[2]}</p></div>
</section>`
  return htmlPage(theme, {
    title: `${article.title} | ${theme.name}`,
    description: article.lead,
    canonical: pages.url(pathOf(article)),
    head: `${feedLink}
<meta property="og:type" content="article">
<meta property="og:title" content="${escapeHtml(article.title)}">
<meta property="og:description" content="${escapeHtml(article.lead)}">
<meta property="og:url" content="${pages.url(pathOf(article))}">
<meta property="og:image" content="${pages.url(`/img/${article.slug}.svg`)}">
<meta property="article:published_time" content="${published}">
<meta property="article:modified_time" content="${instantWithOffset(article.updatedAt, zone)}">
<meta property="article:section" content="${title(article.section)}">
<meta name="author" content="${escapeHtml(article.author)}">`,
    main,
    aside: mostRead(all),
  })
}

function addFeeds(context: SiteContext, pages: Pages, articles: DemoArticle[]): void {
  const changed = latest(articles, context.now)
  const recent = articles.filter((a) => context.now.getTime() - a.publishedAt.getTime() < 2 * day)
  const xml = 'application/xml; charset=utf-8'
  const mapOptions = { page: 'sitemap' as const, lastModified: changed }
  pages.robots([...allowAll, 'Disallow: /zoeken'], ['/sitemap.xml'])
  pages.file(
    '/sitemap.xml',
    xml,
    sitemapIndex(
      ['/sitemap-artikelen.xml', '/sitemap-nieuws.xml', '/sitemap-paginas.xml'].map((path) => ({
        loc: pages.url(path),
        lastmod: changed,
      })),
    ),
    mapOptions,
  )
  pages.file(
    '/sitemap-artikelen.xml',
    xml,
    sitemap(articles.map((a) => ({ loc: pages.url(pathOf(a)), lastmod: a.updatedAt }))),
    mapOptions,
  )
  pages.file(
    '/sitemap-nieuws.xml',
    xml,
    sitemap(
      recent.map((a) => ({
        loc: pages.url(pathOf(a)),
        news: { name: theme.name, language: 'nl', published: a.publishedAt, title: a.title },
      })),
    ),
    mapOptions,
  )
  pages.file(
    '/sitemap-paginas.xml',
    xml,
    sitemap(
      ['/', ...sections.map((section) => `/${section}`), ...staticPages.map((p) => p.path)].map(
        (path) => ({ loc: pages.url(path) }),
      ),
    ),
    mapOptions,
  )
  pages.file(
    '/rss.xml',
    'application/rss+xml; charset=utf-8',
    rss(
      {
        title: theme.name,
        link: pages.url('/'),
        self: pages.url('/rss.xml'),
        language: 'nl',
        description: theme.tagline,
        updated: changed,
      },
      articles.slice(0, 15).map((a) => ({
        title: a.title,
        link: pages.url(pathOf(a)),
        summary: a.lead,
        author: a.author,
        section: title(a.section),
        published: a.publishedAt,
        updated: a.updatedAt,
      })),
    ),
    { page: 'feed', lastModified: changed },
  )
}

function card(article: DemoArticle, tracking: string): string {
  return `<div class="card teaser"><img src="/img/${article.slug}.svg" alt="" loading="lazy" width="160" height="90"><div><span class="label">${title(article.section)}</span><h2><a href="${pathOf(article)}${escapeHtml(tracking)}">${escapeHtml(article.title)}</a></h2><p>${escapeHtml(article.lead)}</p><p class="meta">${dutchDate(article.publishedAt)}</p></div></div>`
}

function mostRead(articles: DemoArticle[]): string {
  const links = articles
    .slice(2, 7)
    .map((a) => `<li><a href="${pathOf(a)}">${escapeHtml(a.title)}</a></li>`)
  return `<section><h2>Meest gelezen</h2><ol>${links.join('')}</ol></section><section class="ad">Advertentie</section>`
}

function dutchDate(instant: Date): string {
  const local = localOf(instant, zone)
  const words = dateWords(local, 'nl')
  return `${words.day} ${words.month} ${words.year}, ${words.time}`
}

const pathOf = (article: DemoArticle): string =>
  `/${article.section}/${localOf(article.publishedAt, zone).slice(0, 10).replaceAll('-', '/')}/${article.slug}`
const sectionPath = (section: string, index: number): string =>
  index === 0 ? `/${section}` : `/${section}?pagina=${index + 1}`
const title = (section: string): string => section.charAt(0).toUpperCase() + section.slice(1)

const zone = 'Europe/Amsterdam'
const day = 86_400_000
const sections = ['regio', 'binnenland', 'sport', 'cultuur', 'economie']
const feedLink = '<link rel="alternate" type="application/rss+xml" title="RSS" href="/rss.xml">'

const boilerplate = [
  'Advertentie: nu drie maanden digitaal lezen voor vijf euro',
  'Goed dat hier eindelijk eens aandacht voor is.',
  'Ik moet het eerst nog zien gebeuren.',
]

const staticPages = [
  {
    path: '/over-ons',
    title: 'Over ons',
    text: [
      'De Merwebode verschijnt sinds 1898 en bericht over alles tussen Lek en Merwede.',
      'De redactie bestaat uit negen mensen en is elke werkdag bereikbaar.',
    ],
  },
  {
    path: '/contact',
    title: 'Contact',
    text: ['Tips kunnen dag en nacht naar de redactie. Bezoek is welkom na afspraak.'],
  },
  {
    path: '/privacy',
    title: 'Privacyverklaring',
    text: ['Wij bewaren niet meer gegevens dan nodig is om de krant te bezorgen.'],
  },
]

const theme: Theme = {
  name: 'De Merwebode',
  tagline: 'Onafhankelijk nieuws uit Alblasserwaard en Merwestreek',
  accent: '#7a1f2b',
  language: 'nl',
  nav: [
    { href: '/', label: 'Voorpagina' },
    ...sections.map((section) => ({ href: `/${section}`, label: title(section) })),
    ...staticPages.map((page) => ({ href: page.path, label: page.title })),
  ],
  about: 'Een regionale krant met een kleine redactie en een lange adem.',
}

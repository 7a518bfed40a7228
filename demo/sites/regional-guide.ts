import { makeEvents } from '../generate/events.ts'
import { articlesOf, eventsOf } from '../generate/kinds.ts'
import { addMinutes, dateWords, isWholeDay, localOf, withOffset } from '../generate/local-time.ts'
import { venues } from '../generate/places.ts'
import { at } from '../generate/random.ts'
import { slugify } from '../generate/slug.ts'
import { escapeHtml, htmlPage, type Theme } from '../render/html.ts'
import { allowAll, createPages, latest } from '../render/pages.ts'
import { truthOfArticle, truthOfEvent } from '../render/truth.ts'
import type { DemoArticle, DemoEvent, Rendered, SiteContext, SiteDefinition } from '../types.ts'

export const regionalGuide: SiteDefinition = {
  key: 'regional-guide',
  name: 'Uit in Nederland',
  kind: 'mixed',
  behaviour: 'good',
  description: 'Guide that repeats events and articles of other sites under other titles (h-event)',
  create: (context) => {
    const own = makeEvents(context, context.deal('outdoors', 'nl', 4), {
      venues: [venues.estate],
      organizer: 'Uit in Nederland',
      times: ['08:30', '10:00', '17:00'],
      minutes: [120, 180],
    })
    const copies = ['wordpress-agenda', 'json-ld', 'municipal'].flatMap((key) =>
      eventsOf(context.peer(key).items)
        .filter((event) => event.parent === undefined && event.status === 'scheduled')
        .filter((event) => !isWholeDay(event.start))
        .slice(0, 4)
        .map((event, index) => copyEvent(context, event, index)),
    )
    const articles = articlesOf(context.peer('dutch-news').items)
      .slice(2, 6)
      .map((article, index) => copyArticle(context, article, index))
    return {
      items: [...own.slice(0, 3), ...copies, ...articles],
      reserve: own.slice(3),
      render: (items) => render(context, eventsOf(items), articlesOf(items)),
    }
  },
}

/** The same happening as an editor elsewhere retypes it. */
function copyEvent(context: SiteContext, event: DemoEvent, index: number): DemoEvent {
  const title = at(retitles, index % retitles.length)(event)
  // One in four tells when the doors open instead of when it starts.
  const start = index === 3 ? addMinutes(event.start, -30) : event.start
  return {
    ...event,
    id: `${context.key}:copy-of-${event.id.replace(':', '-')}`,
    slug: slugify(`${title}-${event.venue.city}`),
    title,
    description:
      index % 2 === 0
        ? event.description
        : `${event.description} Meer weten? Kijk bij de organisatie.`,
    start,
    venue: { ...event.venue, name: event.venue.name.replace(/^Poppodium /, '') },
    sequence: 0,
    sameAs: [event.id],
  }
}

const retitles: readonly ((event: DemoEvent) => string)[] = [
  ({ title, venue }) => `${title} | ${venue.city}`,
  ({ title }) => title.toUpperCase(),
  ({ title, venue }) => `${title} in ${venue.name.replace(/^Poppodium /, '')}`,
  ({ title }) => title,
]

function copyArticle(context: SiteContext, article: DemoArticle, index: number): DemoArticle {
  const publishedAt = new Date(article.publishedAt.getTime() + (25 + 10 * index) * 60_000)
  return {
    ...article,
    id: `${context.key}:copy-of-${article.id.replace(':', '-')}`,
    title: index % 2 === 0 ? article.title : `${article.title} (video)`,
    section: 'nieuws',
    author: 'Redactie',
    // The second half of the copies lost their last paragraph to the layout.
    paragraphs: index < 2 ? article.paragraphs : article.paragraphs.slice(0, -1),
    publishedAt,
    updatedAt: publishedAt,
    sameAs: [article.id],
  }
}

function render(context: SiteContext, events: DemoEvent[], articles: DemoArticle[]): Rendered {
  const pages = createPages(context)
  const changed = latest([...events, ...articles], context.now)
  pages.robots(allowAll)
  pages.html('/', 'listing', listPage(events), changed)
  pages.html('/nieuws', 'listing', newsPage(articles), changed)
  for (const event of events) {
    const page = htmlPage(theme, {
      title: `${event.title} - ${theme.name}`,
      main: hEvent(event, 'h1'),
    })
    pages.html(pathOf(event), 'page', page, event.updatedAt)
  }
  const origin = context.peer('dutch-news')
  for (const article of articles) {
    pages.html(newsPath(article), 'page', articlePage(article, origin), article.updatedAt)
  }
  return {
    resources: pages.resources,
    strategy: 'json_ld',
    items: [
      ...events.map((event) => truthOfEvent(event, pages.url(pathOf(event)), { organizer: null })),
      ...articles.map((article) => truthOfArticle(article, pages.url(newsPath(article)))),
    ],
  }
}

function listPage(events: DemoEvent[]): string {
  const main = `<h1>Agenda</h1>\n${events.map((event) => hEvent(event, 'h2')).join('\n')}`
  return htmlPage(theme, { title: theme.name, main })
}

function hEvent(event: DemoEvent, heading: string): string {
  const words = dateWords(event.start, 'nl')
  const { venue } = event
  return `<div class="card h-event"><img class="u-photo" src="/img/${event.slug}.svg" alt="" width="160" height="90"><div>
  <${heading} class="p-name"><a class="u-url" href="${pathOf(event)}">${escapeHtml(event.title)}</a></${heading}>
  <p class="meta"><time class="dt-start" datetime="${withOffset(event.start, event.timezone)}">${words.weekday} ${words.day} ${words.month} ${words.year} ${words.time}</time>${event.end === null ? '' : ` tot <time class="dt-end" datetime="${withOffset(event.end, event.timezone)}">${event.end.slice(11)}</time>`}</p>
  <p class="p-location h-card"><span class="p-name">${escapeHtml(venue.name)}</span>, <span class="p-street-address">${venue.street}</span>, <span class="p-postal-code">${venue.postalCode}</span> <span class="p-locality">${venue.city}</span></p>
  <p class="p-summary">${escapeHtml(event.description)}</p>${event.status === 'cancelled' ? '\n  <p class="label cancelled p-status">Geannuleerd</p>' : ''}
</div></div>`
}

function newsPage(articles: DemoArticle[]): string {
  const main = `<h1>Nieuws</h1><ul>${articles.map((article) => `<li><a href="${newsPath(article)}">${escapeHtml(article.title)}</a></li>`).join('')}</ul>`
  return htmlPage(theme, { title: `Nieuws - ${theme.name}`, main })
}

function articlePage(article: DemoArticle, source: { name: string; origin: string }): string {
  const words = dateWords(localOf(article.publishedAt, 'Europe/Amsterdam'), 'nl')
  const main = `<article><h1>${escapeHtml(article.title)}</h1>
<p class="meta">Door <span class="author">${escapeHtml(article.author)}</span>, <time datetime="${article.publishedAt.toISOString()}">${words.day} ${words.month} ${words.year} ${words.time}</time></p>
<p><strong>${escapeHtml(article.lead)}</strong></p>
${article.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
</article>
<p class="small bron">Bron: <a href="${source.origin}/">${escapeHtml(source.name)}</a></p>`
  return htmlPage(theme, {
    title: `${article.title} - ${theme.name}`,
    description: article.lead,
    head: `<meta property="og:type" content="article"><meta property="og:title" content="${escapeHtml(article.title)}"><meta property="article:published_time" content="${article.publishedAt.toISOString()}"><meta property="article:section" content="Nieuws">`,
    main,
  })
}

const pathOf = (event: DemoEvent): string => `/agenda/${event.slug}`
const newsPath = (article: DemoArticle): string => `/nieuws/${article.slug}`

const theme: Theme = {
  name: 'Uit in Nederland',
  tagline: 'De gids voor wie de deur uit wil',
  accent: '#e65100',
  language: 'nl',
  nav: [
    { href: '/', label: 'Agenda' },
    { href: '/nieuws', label: 'Nieuws' },
  ],
  about: 'Wij verzamelen wat anderen organiseren en schrijven het nog eens op.',
}

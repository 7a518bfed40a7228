import { dateWords } from '../generate/local-time.ts'
import type { DemoEvent, SiteContext } from '../types.ts'
import { escapeHtml, htmlPage, scriptJson, type Theme } from './html.ts'
import { eventLd } from './json-ld.ts'
import { allowAll, createPages, latest, type Pages } from './pages.ts'

/** A plain agenda with JSON-LD, for sites whose interest lies in how they answer, not in what. */
export function plainEventPages(
  context: SiteContext,
  theme: Theme,
  events: DemoEvent[],
  extraLinks: readonly { href: string; label: string }[] = [],
): Pages {
  const pages = createPages(context)
  const changed = latest(events, context.now)
  pages.robots(allowAll)
  const links = extraLinks.map(
    (l) => `<li><a href="${escapeHtml(l.href)}">${escapeHtml(l.label)}</a></li>`,
  )
  const main = `<h1>Agenda</h1><ul>${events
    .map((e) => `<li><a href="${eventPath(e)}">${escapeHtml(e.title)}</a></li>`)
    .join(
      '',
    )}</ul>${links.length > 0 ? `<h2>Verder op deze site</h2><ul>${links.join('')}</ul>` : ''}`
  pages.html('/', 'listing', htmlPage(theme, { title: theme.name, main }), changed)
  for (const event of events) {
    const ld = { '@context': 'https://schema.org', ...eventLd(event, pages.url(eventPath(event))) }
    const words = dateWords(event.start, event.language)
    const page = htmlPage(theme, {
      title: `${event.title} | ${theme.name}`,
      head: `<script type="application/ld+json">${scriptJson(ld)}</script>`,
      main: `<h1>${escapeHtml(event.title)}</h1><p class="meta">${words.day} ${words.month} ${words.year} ${words.time}</p><p>${escapeHtml(event.description)}</p><p><a href="/">Terug</a></p>`,
    })
    pages.html(eventPath(event), 'page', page, event.updatedAt)
  }
  return pages
}

export const eventPath = (event: DemoEvent): string => `/agenda/${event.slug}`

/** A page of running text, for everything that is neither an item nor a listing. */
export function textPage(theme: Theme, title: string, paragraphs: readonly string[]): string {
  const main = `<h1>${escapeHtml(title)}</h1>\n${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}`
  return htmlPage(theme, { title: `${title} | ${theme.name}`, main })
}

export function plainTheme(name: string, tagline: string, accent: string): Theme {
  return {
    name,
    tagline,
    accent,
    language: 'nl',
    nav: [{ href: '/', label: 'Agenda' }],
    about: tagline,
  }
}

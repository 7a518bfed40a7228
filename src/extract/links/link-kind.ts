export type LinkKind = 'listing' | 'article' | 'event' | 'page' | 'feed' | 'ics' | 'asset'

const ASSET =
  /\.(?:pdf|docx?|xlsx?|pptx?|odt|zip|rar|gz|jpe?g|png|gif|webp|avif|svg|ico|mp[34]|m4[av]|webm|mov|avi|wav|css|m?js|woff2?|exe|dmg|apk)$/i
const FEED =
  /(?:\/(?:feed|rss|atom)(?:\.xml|\.json|\/)?$)|\.(?:rss|atom|rdf)$|[?&](?:feed|format)=(?:rss|atom|rss2)/i
const ICS = /\.ics$|^webcals?:|[?&](?:ical|outlook-ical)=1|[?&]format=ics|\/ical\/?$/i
const EVENT_PATH =
  /\/(?:events?|evenement(?:en)?|agenda|activiteit(?:en)?|voorstelling(?:en)?|programma|concert(?:en|s)?|veranstaltung(?:en)?|termine?|spectacles?|calendar|kalender|meetings?|vergadering(?:en)?|shows?|whats-?on)\/(.+)$/i
const EVENT_QUERY = /[?&](?:event_?id|eventid|meeting_?id|evenement)=\w+/i
const LISTING =
  /\/(?:events?|evenementen|agenda|activiteiten|programma|calendar|kalender|veranstaltungen|termine|whats-?on|news|nieuws|blog|actueel|actualiteiten|aktuelles|actualites|artikelen|archief|archive)\/?$|\/(?:categor(?:y|ie)|tags?|topics?|themas?|onderwerp(?:en)?|rubriek|author|auteur|page|pagina)\/[^/]+\/?$/i
const ARTICLE =
  /\/(?:19|20)\d{2}\/\d{1,2}(?:\/\d{1,2})?\/[^/]+|\/(?:news|nieuws|blog|artikel(?:en)?|articles?|story|stories|nieuwsbericht(?:en)?|actueel|persbericht(?:en)?|press-releases?)\/.*[^/]{12,}|[^/]*-[^/]*-[^/]*-[^/]*-[^/]{3,}\/?$|\/[^/]+[-_.]\d{5,}(?:\.html?)?\/?$/i

/** A first guess at what an address leads to, by its form alone. */
export function linkKind(url: string): LinkKind {
  const { path, query } = partsOf(url)
  if (ICS.test(path) || ICS.test(query) || /^webcals?:/i.test(url)) return 'ics'
  if (FEED.test(path) || FEED.test(query)) return 'feed'
  if (ASSET.test(path)) return 'asset'
  const event = EVENT_PATH.exec(path)
  if (EVENT_QUERY.test(query)) return 'event'
  if (event !== null) return isDetail(event[1] ?? '') ? 'event' : 'listing'
  if (/[?&](?:page|paged|pagina|p|month|maand|category|tag)=/i.test(query)) return 'listing'
  if (ARTICLE.test(path) && !LISTING.test(path)) return 'article'
  return LISTING.test(path) ? 'listing' : 'page'
}

// Under /agenda/ stand months, categories and pages as well as events.
function isDetail(rest: string): boolean {
  const last = rest.replace(/\/$/, '').split('/').at(-1) ?? ''
  if (
    /^(?:list|lijst|month|maand|week|day|dag|today|vandaag|page|pagina|\d+|category|categorie|tags?|past|upcoming|archief|\d{4}-\d\d(?:-\d\d)?)$/i.test(
      last,
    )
  )
    return false
  return !/(?:^|\/)(?:category|categorie|tags?|page|pagina)\//i.test(rest) && last.length > 3
}

function partsOf(url: string): { path: string; query: string } {
  try {
    const parsed = new URL(url)
    return { path: parsed.pathname, query: parsed.search }
  } catch {
    return { path: url, query: '' }
  }
}

export interface SitemapEntry {
  loc: string
  lastmod?: Date
  news?: { name: string; language: string; published: Date; title: string }
}

export function sitemap(entries: readonly SitemapEntry[]): string {
  const urls = entries.map(
    (entry) => `  <url>
    <loc>${escapeXml(entry.loc)}</loc>${entry.lastmod ? `\n    <lastmod>${entry.lastmod.toISOString()}</lastmod>` : ''}${entry.news ? newsTags(entry.news) : ''}
  </url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
${urls.join('\n')}
</urlset>
`
}

export function sitemapIndex(entries: readonly SitemapEntry[]): string {
  const maps = entries.map(
    (entry) =>
      `  <sitemap><loc>${escapeXml(entry.loc)}</loc>${entry.lastmod ? `<lastmod>${entry.lastmod.toISOString()}</lastmod>` : ''}</sitemap>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${maps.join('\n')}
</sitemapindex>
`
}

export interface FeedEntry {
  title: string
  link: string
  summary: string
  /** HTML of the whole text, when the feed carries it. */
  content?: string
  author: string
  section: string
  published: Date
  updated: Date
}

export interface FeedHead {
  title: string
  link: string
  self: string
  language: string
  description: string
  updated: Date
}

export function rss(head: FeedHead, entries: readonly FeedEntry[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
  <title>${escapeXml(head.title)}</title>
  <link>${escapeXml(head.link)}</link>
  <description>${escapeXml(head.description)}</description>
  <language>${head.language}</language>
  <lastBuildDate>${head.updated.toUTCString()}</lastBuildDate>
  <atom:link href="${escapeXml(head.self)}" rel="self" type="application/rss+xml"/>
${entries
  .map(
    (entry) => `  <item>
    <title>${escapeXml(entry.title)}</title>
    <link>${escapeXml(entry.link)}?utm_source=rss&amp;utm_medium=feed</link>
    <guid isPermaLink="true">${escapeXml(entry.link)}</guid>
    <pubDate>${entry.published.toUTCString()}</pubDate>
    <dc:creator>${escapeXml(entry.author)}</dc:creator>
    <category>${escapeXml(entry.section)}</category>
    <description><![CDATA[<p>${entry.summary}</p>]]></description>
  </item>`,
  )
  .join('\n')}
</channel>
</rss>
`
}

export function atom(head: FeedHead, entries: readonly FeedEntry[]): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${head.language}">
  <title>${escapeXml(head.title)}</title>
  <subtitle>${escapeXml(head.description)}</subtitle>
  <id>${escapeXml(head.self)}</id>
  <link rel="self" type="application/atom+xml" href="${escapeXml(head.self)}"/>
  <link rel="alternate" type="text/html" href="${escapeXml(head.link)}"/>
  <updated>${head.updated.toISOString()}</updated>
${entries
  .map(
    (entry) => `  <entry>
    <title type="text">${escapeXml(entry.title)}</title>
    <id>${escapeXml(entry.link)}</id>
    <link rel="alternate" type="text/html" href="${escapeXml(entry.link)}"/>
    <published>${entry.published.toISOString()}</published>
    <updated>${entry.updated.toISOString()}</updated>
    <author><name>${escapeXml(entry.author)}</name></author>
    <category term="${escapeXml(entry.section)}"/>
    <summary type="text">${escapeXml(entry.summary)}</summary>${entry.content === undefined ? '' : `\n    <content type="html">${escapeXml(entry.content)}</content>`}
  </entry>`,
  )
  .join('\n')}
</feed>
`
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function newsTags(news: NonNullable<SitemapEntry['news']>): string {
  return `
    <news:news>
      <news:publication><news:name>${escapeXml(news.name)}</news:name><news:language>${news.language}</news:language></news:publication>
      <news:publication_date>${news.published.toISOString()}</news:publication_date>
      <news:title>${escapeXml(news.title)}</news:title>
    </news:news>`
}

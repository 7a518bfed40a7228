export {
  parseSitemap,
  type Sitemap,
  type SitemapAlternate,
  type SitemapNews,
  type SitemapUrl,
} from './parse.ts'

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { gunzipBounded } from './gunzip.ts'
import { parseSitemap } from './index.ts'

describe('sitemaps', () => {
  it('reads pages with their dates, news and translations', () => {
    const sitemap = parseSitemap(`<?xml version="1.0"?>
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="n" xmlns:image="i">
      <url><loc> https://example.com/a?x=1&amp;y=2 </loc><lastmod>2026-01-02</lastmod><priority>0.5</priority>
        <image:image><image:loc>https://example.com/i.png</image:loc></image:image>
        <news:news><news:publication><news:name>Paper</news:name><news:language>nl</news:language></news:publication>
        <news:publication_date>2026-01-02T10:00:00+01:00</news:publication_date><news:title>Hello</news:title></news:news>
        <xhtml:link rel="alternate" hreflang="nl" href="https://example.com/nl"/></url>
      <url><loc><![CDATA[https://example.com/b]]></loc><lastmod>2026-01-02T10:00:00+01:00</lastmod></url>
      <url><loc></loc></url></urlset>`)
    expect(sitemap).toEqual({
      type: 'urlset',
      truncated: false,
      urls: [
        {
          loc: 'https://example.com/a?x=1&y=2',
          lastmod: '2026-01-02',
          priority: 0.5,
          news: {
            title: 'Hello',
            publishedAt: '2026-01-02T09:00:00.000Z',
            publication: 'Paper',
            language: 'nl',
            keywords: [],
          },
          alternates: [{ hreflang: 'nl', href: 'https://example.com/nl' }],
        },
        { loc: 'https://example.com/b', lastmod: '2026-01-02T09:00:00.000Z' },
      ],
    })
  })

  it('reads an index, also one that lists pages by mistake', () => {
    const body =
      '<sitemapindex><sitemap><loc>/a.xml</loc></sitemap><url><loc>/page</loc></url></sitemapindex>'
    expect(parseSitemap(body)).toMatchObject({ type: 'index', urls: [{ loc: '/a.xml' }] })
  })

  it.each([
    ['bare ampersands', '<urlset><url><loc>https://e.com/?a=1&b=2</loc></url></urlset>'],
    ['missing end tags', '<urlset><url><loc>https://e.com/?a=1&amp;b=2</loc><url>'],
    ['capital letters', '<URLSET><URL><LOC>https://e.com/?a=1&amp;b=2</LOC></URL></URLSET>'],
    ['a prefix', '<s:urlset><s:url><s:loc>https://e.com/?a=1&amp;b=2</s:loc></s:url></s:urlset>'],
    [
      'an RSS feed',
      '<rss><channel><item><link>https://e.com/?a=1&amp;b=2</link></item></channel></rss>',
    ],
    ['an Atom feed', '<feed><entry><link href="https://e.com/?a=1&amp;b=2"/></entry></feed>'],
    ['a plain list', '\uFEFFhttps://e.com/?a=1&b=2\r\n\r\nnot a url'],
  ])('copes with %s', (_, body) => {
    expect(parseSitemap(body).urls).toEqual([{ loc: 'https://e.com/?a=1&b=2' }])
  })

  it('unpacks gzip, also when it is cut off', () => {
    const urls = Array.from(
      { length: 3000 },
      (_, i) => `<url><loc>https://e.com/${i * 7919}</loc></url>`,
    )
    const packed = gzipSync(`<urlset>${urls.join('')}</urlset>`)
    expect(parseSitemap(packed).urls).toHaveLength(3000)
    const cut = parseSitemap(packed.subarray(0, packed.length / 2))
    expect(cut.urls.length).toBeGreaterThan(100)
  })

  it('stops at 50,000 addresses and says so', () => {
    const xml = `<urlset>${'<url><loc>https://e.com/</loc></url>'.repeat(50_001)}</urlset>`
    const sitemap = parseSitemap(xml)
    expect(sitemap.urls).toHaveLength(50_000)
    expect(sitemap.truncated).toBe(true)
  })

  it('stops unpacking a bomb', () => {
    const { bytes, truncated } = gunzipBounded(gzipSync(Buffer.alloc(20_000_000)), 1_000_000)
    expect(bytes).toHaveLength(1_000_000)
    expect(truncated).toBe(true)
  })

  it('gives up on endless nesting', () => {
    const spent = processorClock()
    const sitemap = parseSitemap(
      `<urlset><url><loc>https://e.com/</loc></url>${'<a>'.repeat(300_000)}`,
    )
    expect(sitemap).toMatchObject({ urls: [{ loc: 'https://e.com/' }], truncated: true })
    expect(spent()).toBeLessThan(5000)
  })

  it('never throws', () => {
    const piece = fc.constantFrom(
      '<url>',
      '</url>',
      '<loc>',
      '</loc>',
      'http://x',
      '<![CDATA[',
      ']]>',
      '&',
      '<',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))), (pieces) => {
        expect(Array.isArray(parseSitemap(`<${pieces.join('')}`).urls)).toBe(true)
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(() => parseSitemap(Buffer.from([0x1f, 0x8b, ...bytes]))).not.toThrow()
      }),
    )
  })
})

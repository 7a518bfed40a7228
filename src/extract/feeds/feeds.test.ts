import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { feedDate } from './dates.ts'
import { feedItems, parseFeed } from './index.ts'

const rss = (items: string) =>
  `<rss version="2.0"><channel><title>T</title>${items}</channel></rss>`
const item = (inner: string) => parseFeed(rss(`<item>${inner}</item>`))?.items[0]

describe('feeds', () => {
  it('reads RSS 2.0 with its usual extensions', () => {
    const feed = parseFeed(`<?xml version="1.0"?>
      <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:c="http://purl.org/rss/1.0/modules/content/">
      <channel><title>News &amp; more</title><link>https://example.com/</link><language>nl</language>
      <item><title>A &amp;amp; B</title><link>https://example.com/a</link><guid isPermaLink="false">17</guid>
        <pubDate>Thu, 01 Jan 2026 19:48:21 +0100</pubDate><dc:creator>Jane</dc:creator><category>x</category>
        <category>x</category><description>short</description><c:encoded><![CDATA[<p>long <img src="/i.png"></p>]]></c:encoded>
      </item></channel></rss>`)
    expect(feed).toEqual({
      format: 'rss',
      title: 'News & more',
      link: 'https://example.com/',
      description: null,
      language: 'nl',
      items: [
        {
          title: 'A & B',
          link: 'https://example.com/a',
          date: '2026-01-01T18:48:21.000Z',
          modified: null,
          guid: '17',
          summary: 'short',
          content: '<p>long <img src="/i.png"></p>',
          author: 'Jane',
          categories: ['x'],
          image: '/i.png',
          event: null,
        },
      ],
    })
  })

  it('reads Atom with bases, text types and several links', () => {
    const feed = parseFeed(
      `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.com/blog/"><title>T</title>
      <entry><id>urn:1</id><title type="html">&lt;b&gt;Q&amp;amp;A&lt;/b&gt;</title>
      <link rel="self" href="self"/><link href="post/1"/><updated>2026-01-02T03:04:05Z</updated>
      <published>2026-01-01T03:04:05Z</published><author><name>Jane</name></author>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">a <i>b</i></div></content></entry></feed>`,
    )
    expect(feed?.items[0]).toMatchObject({
      title: 'Q&A',
      link: 'https://example.com/blog/post/1',
      date: '2026-01-01T03:04:05.000Z',
      modified: '2026-01-02T03:04:05.000Z',
      guid: 'urn:1',
      author: 'Jane',
      content: '<div>a <i>b</i></div>',
    })
  })

  it('reads RSS 1.0, prefixed or not', () => {
    const feed = parseFeed(
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:r="http://purl.org/rss/1.0/">
      <r:channel/><r:item rdf:about="https://example.com/1"><r:title>One</r:title></r:item></rdf:RDF>`,
    )
    expect(feed?.format).toBe('rdf')
    expect(feed?.items[0]).toMatchObject({ title: 'One', guid: 'https://example.com/1' })
  })

  it('reads JSON Feed, also with a slip in the JSON', () => {
    const feed = parseFeed(
      '{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":7,"url":"/a","title":"A","date_published":"2026-01-01T00:00:00Z","authors":[{"name":"Jane"}],},]}',
      'https://example.com/feed.json',
    )
    expect(feed?.items[0]).toMatchObject({
      guid: '7',
      link: 'https://example.com/a',
      title: 'A',
      author: 'Jane',
    })
  })

  it.each([
    ['bare ampersands', '<title>Q & A</title>'],
    ['undefined entities', '<title>Q &amp; A</title><description>caf&eacute; &nope;</description>'],
    ['unclosed elements', '<title>Q &amp; A</title><description>'],
    ['undeclared prefixes', '<title>Q &amp; A</title><foo:bar>x</foo:bar>'],
  ])('copes with %s', (_, inner) => {
    expect(item(inner)?.title).toBe('Q & A')
  })

  it('takes an item inside an item for one that was not closed', () => {
    const feed = parseFeed(
      rss('<item><title>a</title><item><title>b</title></item><item><title>c</title>'),
    )
    expect(feed?.items.map(({ title }) => title)).toEqual(['a', 'b', 'c'])
  })

  it('falls back to a permalink for the address', () => {
    expect(item('<guid>https://example.com/g</guid>')?.link).toBe('https://example.com/g')
    expect(item('<guid isPermaLink="false">https://example.com/g</guid>')?.link).toBeNull()
  })

  it.each(['', 'hello', '<html><body><item>x</item></body></html>', '{"a":1}', '[1]', '<urlset/>'])(
    'knows that %j is no feed',
    (text) => {
      expect(parseFeed(text)).toBeNull()
    },
  )

  it('does not let entities multiply', () => {
    const lol = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)
    const text = `<!DOCTYPE rss [<!ENTITY l0 "lol">${lol.join('')}]>${rss('<item><title>&l0; &l9;</title></item>')}`
    const title = parseFeed(text)?.items[0]?.title ?? ''
    expect(title).toMatch(/^lol /)
    expect(title.length).toBeLessThan(1000)
    const many = `<!DOCTYPE rss [<!ENTITY e "${'x'.repeat(500)}">]>${rss(`<item><title>${'&e;'.repeat(50_000)}`)}`
    expect(parseFeed(many)?.items[0]?.title?.length).toBe(1_000_000)
  })

  it('reads text made to be slow in linear time', () => {
    const spent = processorClock()
    item(`<title>x</title><description><![CDATA[${'<img '.repeat(50_000)}]]></description>`)
    parseFeed(`${'<!DOCTYPE a ['.repeat(10_000)}<rss><item/></rss>`)
    item(`<title>x</title><description><![CDATA[${'<script><!--'.repeat(50_000)}]]></description>`)
    expect(spent()).toBeLessThan(5000)
  })

  it('survives deep nesting', () => {
    const deep = '<a>'.repeat(300_000)
    const spent = processorClock()
    expect(parseFeed(rss(`<item><title>x</title><description>${deep}`))?.items).toHaveLength(1)
    expect(spent()).toBeLessThan(5000)
  })

  it('never throws', () => {
    const markup =
      '<item> </item> <title type="html"> </title> <link href="x"/> <![CDATA[ ]]> & &#x1F600; &#xFFFFFFF; <pubDate> 2026-01-01 <!DOCTYPE a['
    const piece = fc.constantFrom(...markup.split(/ (?=[<&\]])/))
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))), (pieces) => {
        const feed = parseFeed(`<rss>${pieces.join('')}`, 'https://example.com/')
        expect(feed && feedItems(feed, 'https://example.com/')).toBeTruthy()
        expect(() => parseFeed(`{"items":[${pieces.join('')}`)).not.toThrow()
      }),
    )
  })
})

describe('feed dates', () => {
  it.each([
    ['Thu, 01 Jan 04 19:48:21 GMT', '2004-01-01T19:48:21.000Z'],
    ['Thu, 1 Jan 2004 19:48 EST', '2004-01-02T00:48:00.000Z'],
    ['01 January 2004 19:48:21 +01:00', '2004-01-01T18:48:21.000Z'],
    ['Sun Jan  4 16:29:06 PST 2004', '2004-01-05T00:29:06.000Z'],
    ['Sat, Dec 16 2023 02:02:33 PM', '2023-12-16T14:02:33.000Z'],
    ['do, 5 mrt 2026 10:00:00 +0100', '2026-03-05T09:00:00.000Z'],
    ['2003-12-31T10:14:55.3-08:00', '2003-12-31T18:14:55.300Z'],
    ['2003-12-31 10:14:55', '2003-12-31T10:14:55.000Z'],
    ['2003-12', '2003-12-01T00:00:00.000Z'],
    ['2003', '2003-01-01T00:00:00.000Z'],
    ['20031231T101455Z', '2003-12-31T10:14:55.000Z'],
    ['2003-335', '2003-12-01T00:00:00.000Z'],
    ['12/31/2003 10:14 PM', '2003-12-31T22:14:00.000Z'],
    ['31.12.2003', '2003-12-31T00:00:00.000Z'],
    ['05-03-2026 10:00', '2026-03-05T10:00:00.000Z'],
    ['Fri, 2006/09/15 08:19:53 EDT', '2006-09-15T12:19:53.000Z'],
    ['0000-00-00 00:00:00', null],
    ['0001-01-01T00:00:00', null],
    ['yesterday', null],
    ['', null],
  ])('%j', (text, expected) => {
    expect(feedDate(text)).toBe(expected)
  })

  it('is a date or null for any text', () => {
    const messy = fc.string({ unit: fc.constantFrom(...'0123456789-:/ TZ+.,JanMayPM@'.split('')) })
    fc.assert(
      fc.property(fc.oneof(messy, fc.string()), (text) => {
        const date = feedDate(text)
        expect(date === null || !Number.isNaN(Date.parse(date))).toBe(true)
      }),
    )
  })
})

describe('items of a feed', () => {
  const items = (inner: string) => {
    const feed = parseFeed(
      `<rss xmlns:ev="http://purl.org/rss/1.0/modules/event/" xmlns:xCal="urn:ietf:params:xml:ns:xcal"><channel><language>nl</language><item>${inner}</item></channel></rss>`,
    )
    return feed ? feedItems(feed, 'https://example.com/feed') : []
  }

  it('are articles', () => {
    expect(
      items('<title>T</title><link>/a</link><description>&lt;p&gt;Text&lt;/p&gt;</description>'),
    ).toEqual([
      expect.objectContaining({
        kind: 'article',
        strategy: 'feed',
        url: 'https://example.com/a',
        description: 'Text',
        language: 'nl',
        calendar: null,
        article: expect.objectContaining({
          text: 'Text',
          canonicalUrl: 'https://example.com/a',
        }) as unknown,
        provenance: expect.objectContaining({
          title: { strategy: 'feed', path: 'rss/item[0]/title', confidence: 0.9, snippet: 'T' },
        }) as unknown,
      }),
    ])
  })

  it.each([
    ['the event module', '<ev:startdate>2026-05-01</ev:startdate><ev:location>Zaal</ev:location>'],
    ['xCal', '<xCal:dtstart>2026-05-01</xCal:dtstart><xCal:location>Zaal</xCal:location>'],
    [
      'a prefix of its own',
      '<event:startdate>2026-05-01</event:startdate><event:location>Zaal</event:location>',
    ],
  ])('are calendar events when %s says when', (_, inner) => {
    const [found] = items(`<title>Concert</title><guid>g1</guid>${inner}`)
    expect(found).toMatchObject({
      kind: 'calendar_event',
      article: null,
      calendar: { start: '2026-05-01', allDay: true, uid: 'g1', locations: [{ name: 'Zaal' }] },
      provenance: { start: { strategy: 'feed' } },
    })
  })

  it('keep the blocks of their text apart and leave scripts out', () => {
    const html = '<p>One <b>two</b></p><script>x()</script><!-- no --><p>three<br>four</p>'
    const [found] = items(`<title>T</title><description><![CDATA[${html}]]></description>`)
    expect(found?.article?.text).toBe('One two\nthree\nfour')
    expect(found?.description).toBe('One two three four')
  })

  it('keep no address that is not on the web', () => {
    expect(items('<title>T</title><link>javascript:alert(1)</link>')[0]?.url).toBeNull()
  })
})

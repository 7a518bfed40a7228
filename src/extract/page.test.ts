import { isTag, type ChildNode } from 'domhandler'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorClock } from '../../test/harness/processor-clock.ts'
import { openPage, PageTooComplex } from './page.ts'

const open = (body: string, url = 'https://site.test/a/b') =>
  openPage({ url, body, contentType: 'text/html', fetchedAt: new Date(0) })

describe('the scan', () => {
  test('reads title, language, metas, canonical and feeds', () => {
    const { scan } = open(`<html lang=nl><head><title> A &amp;
      B </title><svg><title>icon</title></svg><meta property="og:title" content="Caf&eacute;">
      <link rel="canonical" href="/x"><link rel=alternate type="application/rss+xml" href=feed title=News>
      <link rel=alternate hreflang=en href=/en></head>`)
    expect(scan.title).toBe('A & B')
    expect(scan.lang).toBe('nl')
    expect(scan.metas).toEqual([{ key: 'og:title', content: 'Café' }])
    expect(scan.canonical).toBe('https://site.test/x')
    expect(scan.feeds.map((feed) => feed.href)).toEqual(['https://site.test/a/feed'])
  })

  test('resolves links against the base and keeps only web addresses', () => {
    const { scan } =
      open(`<base href="/deep/"><a href=" one ">1</a><a href="//cdn.test/x">2</a><a href="javascript:x()">3</a>
      <a href="mailto:a@b.c">4</a><a href="/a/../b">5</a><a href="#top">6</a><a>7</a>`)
    expect(scan.links.map((link) => link.href)).toEqual([
      'https://site.test/deep/one',
      'https://cdn.test/x',
      'https://site.test/b',
      'https://site.test/deep/#top',
    ])
  })

  test('tells where a link stands', () => {
    const { scan } = open(`<header><a href=/1>x</a><nav><a href=/2>x</a></nav></header>
      <div id=main-menu><div><a href=/3>x</a></div></div><div role=main><a href=/4>x</a>
      <article><header><a href=/5>x</a></header></article><aside><a href=/6>x</a></aside></div>
      <footer><a href=/7>x</a></footer><a href=/8>x</a>`)
    expect(scan.links.map((link) => link.area)).toEqual([
      'header',
      'nav',
      'nav',
      'main',
      'main',
      'aside',
      'footer',
      'main',
    ])
  })

  test('takes the text of a link from its content, images included', () => {
    const { scan } = open(
      '<a href=/1>Read <b>all</b>\n of&nbsp;it</a><a href=/2><img alt="A cat"></a>',
    )
    expect(scan.links.map((link) => link.text)).toEqual(['Read all of it', 'A cat'])
  })

  test('keeps scripts with their type, id and whole text', () => {
    const { scan } = open(
      '<script id=s TYPE="Application/LD+JSON; charset=utf-8" data-x=1>{"a":"</b>"}</script><script src=/x.js></script>',
    )
    expect(scan.scripts[0]).toMatchObject({
      type: 'application/ld+json',
      id: 's',
      text: '{"a":"</b>"}',
    })
    expect(scan.scripts[1]).toMatchObject({ src: '/x.js', text: '' })
  })

  test('collects attributes that hold JSON', () => {
    const { scan } = open('<div id=app data-page="{&quot;props&quot;:{&quot;a&quot;:1}}"></div>')
    expect(scan.jsonAttributes).toEqual([
      { tag: 'div', name: 'data-page', value: '{"props":{"a":1}}' },
    ])
  })
})

test('the scan finds the links the tree has, whatever surrounds them', () => {
  const piece = fc.constantFrom(
    '<a href="/1">',
    "<A HREF='/2' class=x>",
    '<a href=/3/>',
    '<a title="a > b" href=/4 >',
    '<area href = "/5" />',
    '</a>',
    '<!-- <a href=/6> -->',
    '<!--><!-- a --!>',
    '<!doctype html>',
    '<?php <a href=/7> ?>',
    '</ bogus <a href=/8>',
    '<![CDATA[ <a href=/9> ]]>',
    '<script>"<a href=/10>"</script x>',
    '<style><a href=/11></styles></STYLE>',
    '<textarea><a href=/12></textarea>',
    '<title>a &lt; <b></title>',
    '<p id=a data-b="\'" c>',
    'a < b & c',
    '<',
    '<div =a"b" / c=d/e>',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const page = open(pieces.join(''))
      expect(page.scan.links.map((link) => new URL(link.href).pathname)).toEqual(
        hrefsIn(page.dom.children),
      )
    }),
    { numRuns: 500, seed: 7 },
  )
})

function hrefsIn(nodes: readonly ChildNode[]): string[] {
  return nodes.flatMap((node) => {
    if (!isTag(node)) return []
    const { href } = node.attribs
    const own = (node.name === 'a' || node.name === 'area') && href !== undefined ? [href] : []
    return [...own, ...hrefsIn(node.children)]
  })
}

describe('the tree', () => {
  test('is refused, quickly, when tags nest without end', () => {
    const page = open('<div>'.repeat(200_000))
    const spent = processorClock()
    expect(() => page.dom).toThrow(PageTooComplex)
    expect(page.scan.links).toEqual([])
    expect(spent()).toBeLessThan(8_000)
  })

  test('is flattened where it is merely deep', () => {
    const page = open(`${'<b>'.repeat(1_000)}<i>x</i>`)
    let depth = 0
    for (
      let node = page.dom.children[0];
      node !== undefined && 'children' in node;
      node = node.children[0]
    )
      depth++
    expect(depth).toBeLessThanOrEqual(513)
  })

  test('is built once', () => {
    const page = open('<p>x')
    expect(page.dom).toBe(page.dom)
  })
})

test('any text can be opened', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '</a',
      '<a href=',
      '"',
      "'",
      '<!--',
      '<![CDATA[',
      '&#',
      '&amp',
      '<script>',
      '</script',
      '<svg>',
      '<title',
      ' id=nav',
    ),
    fc.string({ maxLength: 12 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const page = open(pieces.join(''))
      expect(page.scan.links).toBeInstanceOf(Array)
      expect(page.dom.children).toBeInstanceOf(Array)
    }),
    { numRuns: 300, seed: 7 },
  )
})

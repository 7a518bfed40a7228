import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { crawlDelay, isAllowed, parseRobots, parseRobotsDirectives } from './index.ts'

const allowed = (text: string, agent: string, path: string) =>
  isAllowed(parseRobots(text), agent, `https://example.com${path}`)

describe('robots.txt', () => {
  it('lets the longest match decide and Allow win a tie', () => {
    const text = 'User-agent: *\nDisallow: /a\nAllow: /a/b\nAllow: /c\nDisallow: /c'
    expect(allowed(text, 'Bot', '/a/x')).toBe(false)
    expect(allowed(text, 'Bot', '/a/b/x')).toBe(true)
    expect(allowed(text, 'Bot', '/c')).toBe(true)
  })

  it('prefers the groups that name the agent, and merges them', () => {
    const text =
      'User-agent: *\nDisallow: /\n\nUser-agent: Bot\nDisallow: /a\n\nUser-agent: bot\nDisallow: /b'
    expect(allowed(text, 'Bot/1.0 (+https://example.com)', '/x')).toBe(true)
    expect(allowed(text, 'BOT', '/a')).toBe(false)
    expect(allowed(text, 'Bot', '/b')).toBe(false)
    expect(allowed(text, 'Other', '/x')).toBe(false)
  })

  it.each([
    ['a missing colon', 'User-agent *\nDisallow /a'],
    ['a typo', 'Useragent: *\nDissallow: /a'],
    ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /a'],
    ['old line ends and comments', 'User-agent: * # all\rDisallow: /a # why'],
    ['a remark after the star', 'User-agent: * everyone\nDisallow: /a'],
    ['other records between agents', 'User-agent: x\nSitemap: /s\nUser-agent: *\nDisallow: /a'],
  ])('reads a file with %s', (_, text) => {
    expect(allowed(text, 'Bot', '/a')).toBe(false)
    expect(allowed(text, 'Bot', '/b')).toBe(true)
  })

  it('reads an agent line up to its product token', () => {
    const text = 'User-agent: Foo Bar\nDisallow: /'
    expect(allowed(text, 'Foo', '/')).toBe(false)
    expect(allowed(text, 'Foo Bar', '/')).toBe(true)
  })

  it.each([
    ['/*.php$', '/x/y.php', true],
    ['/*.php$', '/y.php?a', false],
    ['/a*b*c', '/axxbxxcxx', true],
    ['/a*b*c$', '/abcc', true],
    ['/a*b*c', '/acb', false],
    ['/a$b', '/a$b', true],
    ['/ü', '/%c3%bc', true],
    ['*', '/anything', true],
  ])('the rule %s covers %s: %s', (pattern, path, covered) => {
    expect(allowed(`User-agent: *\nDisallow: ${pattern}`, 'Bot', path)).toBe(!covered)
  })

  it('allows everything by an empty rule, an empty file or rules without an agent', () => {
    for (const text of ['User-agent: *\nDisallow:', '', 'Disallow: /', '<html>\n</html>']) {
      expect(allowed(text, 'Bot', '/x')).toBe(true)
    }
  })

  it('takes index.html in an Allow for its folder', () => {
    const text = 'User-agent: *\nAllow: /dir/index.html\nDisallow: /'
    expect(allowed(text, 'Bot', '/dir/')).toBe(true)
    expect(allowed(text, 'Bot', '/dir/x')).toBe(false)
  })

  it('knows sitemaps and the delay of the agents right above it', () => {
    const robots = parseRobots(
      'Sitemap: https://example.com/s.xml\nUser-agent: a\nCrawl-delay: 2.5\nUser-agent: *\nCrawl-delay: 1\nDisallow: /x\nUser-agent: c\nDisallow: /\nCrawl-delay: soon',
    )
    expect(robots.sitemaps).toEqual(['https://example.com/s.xml'])
    expect(['a', 'b', 'c'].map((agent) => crawlDelay(robots, agent))).toEqual([2.5, 1, null])
  })

  it('stays fast on rules made to backtrack', () => {
    const text = `User-agent: *\nDisallow: /${'*a'.repeat(5000)}b$`
    const spent = processorClock()
    expect(allowed(text, 'Bot', `/${'a'.repeat(20_000)}`)).toBe(true)
    expect(spent()).toBeLessThan(4000)
  })

  it('reads 500 KiB and no more', () => {
    const text = `User-agent: *\n${'# filler\n'.repeat(100_000)}Disallow: /`
    expect(parseRobots(text).groups[0]?.rules).toEqual([])
  })

  it('never throws', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(fc.constantFrom('User-agent', 'Allow', 'Disallow', 'Crawl-delay'), fc.string())
        .map(([name, value]) => `${name}: ${value}`),
    )
    fc.assert(
      fc.property(fc.array(line), fc.string({ unit: 'binary' }), (lines, url) => {
        const robots = parseRobots(lines.join('\n'))
        expect(typeof isAllowed(robots, 'Bot', url)).toBe('boolean')
        expect(() => crawlDelay(robots, url)).not.toThrow()
      }),
    )
  })
})

describe('robots directives of a page', () => {
  it('reads plain and repeated values', () => {
    expect(parseRobotsDirectives(['NoIndex, follow', 'noarchive'], 'Bot')).toEqual({
      noindex: true,
      nofollow: false,
      noarchive: true,
      unavailableAfter: null,
    })
    expect(parseRobotsDirectives('none', 'Bot')).toMatchObject({ noindex: true, nofollow: true })
    expect(parseRobotsDirectives(null, 'Bot')).toMatchObject({ noindex: false })
  })

  it('leaves what is said to another bot to that bot', () => {
    const header = 'otherbot: noindex, nofollow, millracebot: noarchive'
    expect(parseRobotsDirectives(header, 'MillraceBot/1.0')).toMatchObject({
      noindex: false,
      nofollow: false,
      noarchive: true,
    })
    expect(parseRobotsDirectives(header, 'OtherBot')).toMatchObject({
      noindex: true,
      nofollow: true,
      noarchive: false,
    })
  })

  it.each([
    ['unavailable_after: 25 Jun 2010 15:00:00 PST', '2010-06-25T23:00:00.000Z'],
    ['noindex, unavailable_after: Friday, 25-Jun-10 15:00:00 UTC', '2010-06-25T15:00:00.000Z'],
    ['unavailable_after: 2026-09-21', '2026-09-21T00:00:00.000Z'],
    ['unavailable_after: some day', null],
  ])('%s', (header, expected) => {
    expect(parseRobotsDirectives(header, 'Bot').unavailableAfter).toBe(expected)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(() => parseRobotsDirectives(value, value)).not.toThrow()
      }),
    )
  })
})

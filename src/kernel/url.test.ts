import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorClock } from '../../test/harness/processor-clock.ts'
import { hostKey, normalizeUrl, registrableDomain, resolveUrl, sameSite, urlHash } from './url.ts'

describe('the URL identity', () => {
  const same: [string, string][] = [
    ['HTTP://Example.COM:80/a/../b', 'http://example.com/b'],
    ['https://example.com./', 'https://example.com'],
    ['https://example.com/?b=2&a=1', 'https://example.com/?a=1&b=2'],
    ['https://example.com/?a=&b=1&', 'https://example.com/?a&b=1'],
    ['https://example.com/?q=a+b', 'https://example.com/?q=a%20b'],
    ['https://example.com/%7euser', 'https://example.com/~user'],
    ['https://example.com/a%', 'https://example.com/a%25'],
    ['https://example.com/a?utm_source=x&fbclid=y&id=3', 'https://example.com/a?id=3'],
    ['https://example.com/a;jsessionid=12AB?id=3', 'https://example.com/a?id=3'],
    ['https://example.com/?PHPSESSID=9682993c8daa2c5497996114facdc805', 'https://example.com/'],
    ['https://example.com/a#top', 'https://example.com/a'],
    ['https://münchen.example/ü', 'https://xn--mnchen-3ya.example/%C3%BC'],
  ]
  it.each(same)('%s and %s are one page', (a, b) => {
    expect(normalizeUrl(a)).toBe(normalizeUrl(b))
  })

  const different: [string, string][] = [
    ['https://example.com/a', 'https://example.com/A'],
    ['https://example.com/a%2Fb', 'https://example.com/a/b'],
    ['https://example.com/a', 'https://example.com/a/'],
    ['https://example.com/?a=1%262', 'https://example.com/?a=1&2'],
    ['https://example.com/?sid=12', 'https://example.com/?sid=13'],
    ['https://example.com/#!/agenda', 'https://example.com/'],
    ['http://example.com/', 'https://example.com/'],
  ]
  it.each(different)('%s and %s are two pages', (a, b) => {
    expect(normalizeUrl(a)).not.toBe(normalizeUrl(b))
  })

  it('resolves a link against its page', () => {
    expect(normalizeUrl('../agenda?utm_medium=x', 'https://example.com/nl/home')).toBe(
      'https://example.com/agenda',
    )
  })

  it.each(['mailto:a@example.com', 'javascript:void(0)', 'example.com', '', 'http://'])(
    'has none for %j',
    (raw) => {
      expect(normalizeUrl(raw)).toBeNull()
    },
  )

  it('is stable: normalizing twice changes nothing', () => {
    fc.assert(
      fc.property(url(), (raw) => {
        const once = normalizeUrl(raw)
        expect(once === null ? null : normalizeUrl(once)).toBe(once)
      }),
    )
  })

  it('does not depend on the order of the query', () => {
    const shuffled = fc
      .array(fc.tuple(fc.string(), fc.string()), { maxLength: 6 })
      .chain((pairs) =>
        fc.tuple(
          fc.constant(pairs),
          fc.shuffledSubarray(pairs, { minLength: pairs.length, maxLength: pairs.length }),
        ),
      )
    fc.assert(
      fc.property(shuffled, ([a, b]) => {
        expect(normalizeUrl(withQuery(a))).toBe(normalizeUrl(withQuery(b)))
      }),
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (raw, base) => {
        expect(() => normalizeUrl(raw, base)).not.toThrow()
        expect(() => normalizeUrl(`http://host/${raw}`)).not.toThrow()
      }),
    )
  })

  it('handles a long run of percent signs in linear time', () => {
    const spent = processorClock()
    normalizeUrl(`http://host/${'%'.repeat(50_000)}${'25'.repeat(50_000)}`)
    expect(spent()).toBeLessThan(4000)
  })

  it('has a fixed-length hash', () => {
    expect(urlHash('https://example.com/')).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('hosts and sites', () => {
  it('knows the registered domain', () => {
    expect(registrableDomain('https://www.shop.example.co.uk/x')).toBe('example.co.uk')
    expect(registrableDomain('https://someone.github.io/')).toBe('someone.github.io')
    expect(registrableDomain('http://127.0.0.1/')).toBeNull()
  })

  it('keys hosts without scheme or default port', () => {
    expect(hostKey('HTTPS://Example.com:443/a')).toBe('example.com')
    expect(hostKey('http://example.com:8080/a')).toBe('example.com:8080')
    expect(hostKey('not a url')).toBeNull()
  })

  it('sees subdomains as one site and strangers as two', () => {
    expect(sameSite('https://a.example.com/', 'http://example.com/')).toBe(true)
    expect(sameSite('http://localhost:1/', 'http://localhost:2/')).toBe(true)
    expect(sameSite('https://a.github.io/', 'https://b.github.io/')).toBe(false)
    expect(sameSite('nonsense', 'nonsense')).toBe(false)
  })

  it('resolves like a browser', () => {
    expect(resolveUrl('//cdn.example/x', 'https://example.com/')).toBe('https://cdn.example/x')
    expect(resolveUrl('x')).toBeNull()
    expect(resolveUrl('https://xn--/a?b')).toBe('https://xn--/a?b')
  })
})

function url(): fc.Arbitrary<string> {
  const messy = fc.string({
    unit: fc.constantFrom(...'ab%2541/.?#!&=+;:@[]|^{}"<>é ~s()'.split('')),
  })
  return fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    messy.map((text) => `http://host.example/${text}`),
    fc.tuple(messy, messy).map(([path, query]) => `https://h.example/${path}?${query}`),
  )
}

function withQuery(pairs: [string, string][]): string {
  const encode = ([name, value]: [string, string]) =>
    `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  return `https://example.com/?${pairs.map(encode).join('&')}`
}

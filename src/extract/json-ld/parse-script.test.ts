import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { parseJsonScript } from './parse-script.ts'

const only = (text: string) => parseJsonScript(text).values[0]

describe('broken JSON is read as it was meant', () => {
  test.each([
    ['trailing commas', '{"a":1,"b":[1,2,],}', { a: 1, b: [1, 2] }],
    ['double commas', '{"a":1,,"b":[1,,2]}', { a: 1, b: [1, 2] }],
    ['single quotes', "{'a':'it's on','b':2}", { a: "it's on", b: 2 }],
    ['smart quotes', '{“a”: “x”, "b": 1}', { a: 'x', b: 1 }],
    ['unquoted keys', '{a: "x", b_c: true}', { a: 'x', b_c: true }],
    ['comments', '{/* one */"a":1, // two\n"b":2}', { a: 1, b: 2 }],
    ['an unescaped quote', '{"a":"the "big" one","b":1}', { a: 'the "big" one', b: 1 }],
    [
      'an unescaped quote before a comma',
      '{"a":"the "big", the bad","b":1}',
      { a: 'the "big", the bad', b: 1 },
    ],
    ['a raw line break in a text', '{"a":"x\ny"}', { a: 'x\ny' }],
    ['a missing comma', '{"a":"x"\n"b":"y"}', { a: 'x', b: 'y' }],
    ['a missing closing quote', '{"a":"x,\n"b":"y"}', { a: 'x', b: 'y' }],
    ['a missing colon', '{"a" "x","b":{"c" [1]}}', { a: 'x', b: { c: [1] } }],
    ['a key that is not closed', '{"a: "x","b: {"c":1}}', { a: 'x', b: { c: 1 } }],
    ['a key that is not opened', '{a": "x",b":1}', { a: 'x', b: 1 }],
    ['a text that is not opened', '{"a": x y","b":1}', { a: 'x y', b: 1 }],
    ['a text that is not closed', '{"a": "x y,"b":1}', { a: 'x y', b: 1 }],
    ['an escaped key', '{"\\u0061": "x",}', { a: 'x' }],
    ['a missing value', '{"a":,"b":1}', { a: null, b: 1 }],
    ['Python words', '{"a":True,"b":None}', { a: true, b: null }],
    ['a trailing semicolon', '{"a":1};', { a: 1 }],
    ['an extra bracket', '{"a":1}}', { a: 1 }],
    ['missing brackets', '{"a":{"b":[1,2', { a: { b: [1, 2] } }],
    ['a cut text', '{"a":"x","b":"hel', { a: 'x', b: 'hel' }],
    ['CDATA', '//<![CDATA[\n{"a":1}\n//]]>', { a: 1 }],
    ['an HTML comment around it', '<!-- {"a":1} -->', { a: 1 }],
    ['entities for quotes', '{&quot;a&quot;:&quot;x&quot;}', { a: 'x' }],
    ['bad escapes', '{"a":"it\\\'s \\d"}', { a: "it's d" }],
    ['a byte order mark and hard spaces', '\uFEFF{\u00A0"a":1}', { a: 1 }],
    ['double encoding', '"{\\"a\\":1}"', { a: 1 }],
  ])('%s', (_, text, expected) => {
    expect(only(text)).toEqual(expected)
  })

  test('several objects in one script', () => {
    expect(parseJsonScript('{"a":1}\n{"b":2}').values).toEqual([{ a: 1 }, { b: 2 }])
  })
})

test('valid JSON is left to the strict parser', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const { values, repaired } = parseJsonScript(` ${json} `)
      const value: unknown = JSON.parse(json)
      if (typeof value === 'string' && /^\s*[{[]/.test(value)) return
      expect(repaired).toBe(false)
      expect(values).toEqual([value])
    }),
    { numRuns: 200, seed: 3 },
  )
})

test('damaged JSON never throws', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 4 }), (json, at, noise) => {
      const cut = at % (json.length + 1)
      expect(
        parseJsonScript(`{"x":${json.slice(0, cut)}${noise}${json.slice(cut + 1)}`).values,
      ).toBeInstanceOf(Array)
    }),
    { numRuns: 500, seed: 11 },
  )
})

test.each([
  ['endless nesting', '['.repeat(500_000)],
  ['endless nesting of objects', '{"a":'.repeat(200_000)],
  ['nothing but quotes', '{"a":' + '"'.repeat(300_000)],
  ['quotes and commas', '{"a":"' + '", '.repeat(200_000)],
  ['quotes and spaces', '{"a":"' + ('"' + ' '.repeat(300)).repeat(2_000)],
  ['quotes and line breaks', '{"a":"' + ('"' + '\n'.repeat(200)).repeat(5_000)],
  ['open comments', '{' + '/*'.repeat(300_000)],
  ['backslashes', '{"a":"' + '\\'.repeat(500_000)],
  ['keys without end', '{' + '"a'.repeat(200_000)],
])('bait is read in bounded time: %s', (_, text) => {
  const spent = processorClock()
  parseJsonScript(text)
  expect(spent()).toBeLessThan(8_000)
})

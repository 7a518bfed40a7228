import { expect, test } from 'vitest'
import { processorClock } from '../../test/harness/processor-clock.ts'
import { visibleText, visibleWords } from './visible-text.ts'

test('a page reads as its words, without scripts, styles and tags', () => {
  const html = '<p>Een <b>twee</b></p><script>if (a < b) c()</script><STYLE>p{}</STYLE><p>drie'
  expect(visibleText(html, 100)).toBe('Een twee drie')
  expect(visibleText('a b c d', 3)).toBe('a b')
})

test('words are counted as they are read, up to as many as asked for', () => {
  const html =
    '<p>Een  <b>twee</b>\u00a0drie\n</p><script>a b c</script><svg><text>no</text></svg>vier'
  expect(visibleWords(html, 100)).toBe(4)
  expect(visibleWords(html, 2)).toBe(2)
  expect(visibleWords('\u2003vijf\u3000zes\u200b', 100)).toBe(2)
})

test.each(['<', '<script', '<p ', '</', '<!--'])(
  'unclosed "%s" without end costs nothing',
  (bait) => {
    const spent = processorClock()
    visibleText(bait.repeat(200_000), 1_000_000)
    expect(spent()).toBeLessThan(2_000)
  },
)

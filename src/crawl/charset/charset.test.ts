import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import iconv from 'iconv-lite'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { declaredCharset, decodeBody, detectCharset } from './index.ts'

const HTML = 'text/html'

describe('declared encodings', () => {
  it.each([
    ['<meta charset="iso-8859-2">', HTML, 'iso-8859-2'],
    ["<meta  charset =  'latin1' >", HTML, 'windows-1252'],
    ['<meta http-equiv=Content-Type content="text/html; charset=koi8-r">', HTML, 'koi8-r'],
    ['<meta content="charset=koi8-r" http-equiv="refresh">', HTML, null],
    ['<!-- <meta charset="koi8-r"> -->', HTML, null],
    ['<p title="<meta charset=koi8-r>">', HTML, null],
    ['<meta charset="koi8-r', HTML, null],
    ['<meta charset="utf-16">', HTML, 'utf-8'],
    ['<meta charset="no-such"><meta charset="koi8-r">', HTML, 'koi8-r'],
    ['<?xml version="1.0" encoding="windows-1251"?><a/>', 'text/xml', 'windows-1251'],
    ['<meta charset="koi8-r">', 'text/html; charset="windows-1251"', 'windows-1251'],
    ['\xEF\xBB\xBF<meta charset="koi8-r">', HTML, 'utf-8'],
    [`${' '.repeat(5000)}<meta charset="koi8-r">`, HTML, 'koi8-r'],
  ])('%j is declared as it says', (page, contentType, expected) => {
    expect(declaredCharset(Buffer.from(page, 'latin1'), contentType)).toBe(expected)
  })
})

describe('the real encoding', () => {
  const russian =
    'Сегодня в Москве прошла встреча, на которой говорили о новых правилах для жителей.'
  const czech = 'Příliš žluťoučký kůň úpěl ďábelské ódy, řekl včera večer náš nejstarší člen.'
  const cases: [string, string][] = [
    ['windows-1251', russian],
    ['koi8-r', russian],
    ['iso-8859-5', russian],
    ['ibm866', russian],
    ['windows-1250', czech],
    ['iso-8859-2', czech],
    ['windows-1252', 'C’était l’été dernier – “déjà vu”, à côté de la forêt, coûte 5 €.'],
    ['windows-1252', 'It’s “fine” – licenses—enabling 20° © 2026 ¶ · ®'],
    ['windows-1250', 'Rząd ogłosił, że wszyscy mieszkańcy będą mogli skorzystać z „nowych” reguł.'],
    ['windows-1257', 'Valdība šodien paziņoja, ka visi iedzīvotāji varēs izmantot noteikumus.'],
    ['windows-1256', 'أعلنت الحكومة اليوم أن جميع المواطنين سيتمكنون من الاستفادة'],
    [
      'windows-1254',
      'Bugün hava çok güzel, çünkü güneş ışığı şehirdeki ağaçların üzerine vuruyor.',
    ],
    ['iso-8859-7', 'Σήμερα η κυβέρνηση ανακοίνωσε νέα μέτρα για την οικονομία της χώρας.'],
    ['windows-1255', 'היום התקיימה פגישה חשובה בירושלים על העתיד של המדינה'],
    ['windows-874', 'วันนี้อากาศดีมากและเราไปเที่ยวทะเลกันทั้งครอบครัว'],
    ['shift_jis', '今日は天気がいいので、東京の公園を散歩しました。'],
    ['euc-jp', '今日は天気がいいので、東京の公園を散歩しました。'],
    ['euc-kr', '오늘은 날씨가 좋아서 서울의 공원을 산책했습니다.'],
    ['gb18030', '今天天气很好，我们去北京的公园散步，那里有很多人。'],
    ['big5', '今天天氣很好，我們去台北的公園散步，那裡有很多人。'],
  ]
  it.each(cases)('%s text without a declaration is recognized', (encoding, text) => {
    const name = encoding === 'ibm866' ? 'cp866' : encoding
    const bytes = iconv.encode(`<p>${text}</p>`, name)
    expect(decodeBody(bytes, HTML).text).toBe(`<p>${text}</p>`)
  })

  it('is UTF-8 when the bytes are, whatever was declared', () => {
    const page = '<meta charset="iso-8859-1"><p>café – 5 €</p>'
    expect(decodeBody(Buffer.from(page), 'text/html; charset=iso-8859-1').text).toBe(page)
  })

  it('is not UTF-8 when the bytes are not, whatever was declared', () => {
    const bytes = iconv.encode('<meta charset="utf-8"><p>café “5 €”</p>', 'windows-1252')
    expect(decodeBody(bytes, HTML).text).toContain('café “5 €”')
  })

  it('is UTF-8 despite one damaged character', () => {
    const bytes = Buffer.concat([
      Buffer.from('é'.repeat(50)),
      Buffer.from([0xff]),
      Buffer.from('é'),
    ])
    expect(detectCharset(bytes, HTML)).toBe('utf-8')
  })

  it('is UTF-16 by its zeros and ISO-2022-JP by its escapes', () => {
    expect(decodeBody(Buffer.from('<p>hello there</p>', 'utf16le'), HTML).text).toBe(
      '<p>hello there</p>',
    )
    expect(detectCharset(Buffer.from('\x1B$B$3$s\x1B(B'), HTML)).toBe('iso-2022-jp')
  })

  it('never fails, and quickly', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, contentType) => {
        expect(typeof decodeBody(bytes, contentType).text).toBe('string')
      }),
    )
    const spent = processorClock()
    detectCharset(Buffer.from('<meta <!-- é'.repeat(100_000), 'latin1'), null)
    expect(spent()).toBeLessThan(4000)
  })
})

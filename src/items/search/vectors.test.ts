import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../test/harness/database.ts'
import { transaction } from '../../db/pool.ts'
import { searchVectors, type SearchText } from './vectors.ts'

const database = useDatabase()

const words =
  `de het een kinderconcerten wandelingen in Zwolle 's-Hertogenbosch het café naïef Jazz-festival 20.30 uur 12,50 € 1.000 -5 +31
  info@site.example www.site.example/agenda?x=1 https://site.example/a/b.html 1e5 3a v2.0.1 O'Brien rock'n'roll "citaat" (haakjes)
  AT&T &amp; & - -- ... / /pad/naar.txt pad\\ \\' a_b #tag @naam 7777777 7ps ß Ελλάδα 東京 e\u0301 ﬁnale naar\u00a0huis x² ½ C++ U2 mp3
  twee-en-twintig workshops the running children's .nl 2026-11-16 10:30-12:00 ’t zo’n … – — •`.split(
    /\s+/,
  )

test('vectors are those of item_search(), whatever stands in a text', async () => {
  const text = fc
    .array(
      fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', '  ', '\n', ', ', '. ', '! ')),
      {
        maxLength: 30,
      },
    )
    .map((pairs) =>
      pairs
        .map(([word, space]) => word + space)
        .join('')
        .trim(),
    )
  const item: fc.Arbitrary<SearchText> = fc.record({
    language: fc.constantFrom('nl', 'en', 'de', 'fr', 'es', 'it', 'xx'),
    title: text,
    names: text,
    body: text,
  })
  const texts = fc.sample(item, { numRuns: 1500, seed: 7 })
  await transaction(database.sql, async (tx) => {
    const made = [
      ...(await searchVectors(tx, texts.slice(0, 700))),
      ...(await searchVectors(tx, texts.slice(700))),
    ]
    const rows = await tx<{ n: number; made: string; wanted: string }[]>`
      select n, made::tsvector::text as made, item_search(language, title, names, body)::text as wanted
      from jsonb_to_recordset(${tx.json(texts.map((one, n) => ({ ...one, n, made: made[n] ?? '' })))})
        as t(n int, language text, title text, names text, body text, made text)`
    expect(made.every((vector) => vector !== null)).toBe(true)
    for (const { n, ...row } of rows)
      expect({ ...texts[n], vector: row.made }).toEqual({ ...texts[n], vector: row.wanted })
  })
})

test('a text the parser reads beyond spaces, or that is cut, is left to the server', async () => {
  const plain = { language: 'nl', title: 'Concert', names: 'De Loods', body: 'Kom op tijd.' }
  const made = await transaction(database.sql, (tx) =>
    searchVectors(tx, [
      plain,
      { ...plain, body: 'een <a href="x y">link</a>' },
      { ...plain, title: '~/thuis' },
      { ...plain, body: 'woord '.repeat(4000) },
    ]),
  )
  expect(made[0]).toContain("'concert':1A")
  expect(made.slice(1)).toEqual([null, null, null])
})

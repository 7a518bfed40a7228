import { expect, test } from 'vitest'
import { itemView } from '../item-view.fixture.ts'
import { createClassifier, modelVersionOf } from './classify.ts'
import { compileTopics, type TopicRule } from './topics.ts'

function rule(topic: string, fields: Partial<TopicRule> = {}): TopicRule {
  return {
    id: topic,
    name: topic,
    topic,
    keywords: [{ term: topic, weight: 2 }],
    priority: 0,
    minConfidence: 0.5,
    languages: [],
    enabled: true,
    ...fields,
  }
}

function topicsOf(rules: TopicRule[], item: Parameters<typeof itemView>[0]): string[] {
  return compileTopics(rules)
    .match(itemView(item))
    .map(({ topic }) => topic)
}

test('words, phrases and beginnings of words are found, whatever their accents and case', () => {
  const rules = [
    rule('fire', { keywords: [{ term: 'brand*', weight: 2 }] }),
    rule('council', { keywords: [{ term: 'gemeente raad', weight: 2 }] }),
    rule('cafe', { keywords: [{ term: 'Café', weight: 2 }] }),
    rule('absent', { keywords: [{ term: 'raad gemeente', weight: 2 }] }),
  ]
  const found = topicsOf(rules, { text: 'De BRANDWEER bij de gemeente-raad en het cafe.' })
  expect(found.toSorted()).toEqual(['cafe', 'council', 'fire'])
})

test('at most five topics are kept, those of the highest priority first', () => {
  const rules = ['a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1'].map((topic, priority) =>
    rule(topic, { priority }),
  )
  expect(topicsOf(rules, { text: 'a1 b1 c1 d1 e1 f1 g1' })).toEqual(['g1', 'f1', 'e1', 'd1', 'c1'])
})

test('a rule counts only in its languages and from its confidence on', () => {
  const dutch = rule('sport', { languages: ['nl'] })
  expect(topicsOf([dutch], { text: 'sport', language: 'nl' })).toEqual(['sport'])
  expect(topicsOf([dutch], { text: 'sport', language: 'en' })).toEqual([])
  const strict = rule('sport', { minConfidence: 0.9 })
  expect(topicsOf([strict], { text: 'sport' })).toEqual([])
  expect(topicsOf([strict], { title: 'Sport', text: 'sport sport sport' })).toEqual(['sport'])
})

test('a keyword of negative weight speaks against the topic', () => {
  const keywords = [
    { term: 'bank', weight: 2 },
    { term: 'park', weight: -3 },
  ]
  expect(topicsOf([rule('finance', { keywords })], { text: 'de bank' })).toEqual(['finance'])
  expect(topicsOf([rule('finance', { keywords })], { text: 'de bank in het park' })).toEqual([])
})

test('the same rules in another order are the same model; a changed one is another', () => {
  const [a, b] = [rule('a'), rule('b')]
  expect(modelVersionOf([a, b])).toBe(modelVersionOf([b, { ...a, name: 'renamed' }]))
  expect(modelVersionOf([a, b])).not.toBe(modelVersionOf([a, { ...b, minConfidence: 0.6 }]))
})

test('quality rises with length, metadata and structure, and its parts add up', () => {
  const { classify } = createClassifier([])
  const poor = classify(itemView({ text: 'KOOP NU', wordCount: 2 }))
  const text = Array.from(
    { length: 40 },
    (_, n) => `Alinea ${n} vertelt rustig wat er op straat ${n * 7} gebeurde en wie "dat" zag.`,
  ).join('\n\n')
  const rich = classify(
    itemView({
      text,
      wordCount: 500,
      author: 'A. Schrijver',
      description: 'Samenvatting',
      publishedAt: new Date(),
      section: 'Binnenland',
      tags: ['straat', 'stad'],
      imageUrl: 'https://x.test/a.jpg',
    }),
  )
  expect(rich.quality).toBeGreaterThan(80)
  expect(poor.quality).toBeLessThan(25)
  for (const { quality, parts } of [poor, rich])
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(quality)
})

test.each([
  ['event', { kind: 'calendar_event', startAt: new Date() }],
  ['article', { publishedAt: new Date(), author: 'x', wordCount: 400 }],
  [
    'job',
    {
      title: 'Vacature timmerman',
      text: 'Solliciteer nu voor deze functie, 36 uur per week met ervaring',
      wordCount: 200,
    },
  ],
  [
    'recipe',
    { url: 'https://x.test/recepten/soep', text: 'Ingrediënten: prei. Bereiding: snij de prei.' },
  ],
  ['page', { url: 'https://x.test/contact', text: 'Bel ons.', wordCount: 2 }],
] as const)('%s is recognized', (type, fields) => {
  const { contentType, confidence } = createClassifier([]).classify(itemView(fields))
  expect(contentType).toBe(type)
  expect(confidence).toBeGreaterThan(0.4)
})

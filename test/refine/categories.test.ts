import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startDemoWeb } from '../../demo/index.ts'
import { classify } from '../../src/normalize/categories/classify.ts'

test('of the labelled events nearly all get their category, and when the rules are sure they are right', () => {
  const told = readFileSync(new URL('category-set.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('//'))
    .map((line) => {
      const [category = '', title = '', description = ''] = line.split('|').map((s) => s.trim())
      const read = classify({ title, description, tags: [], venue: '' })
      return { wanted: category, ...read }
    })
  const right = told.filter((event) => event.category === event.wanted)
  const sure = told.filter((event) => !event.unsure)
  const sureAndWrong = sure.filter((event) => event.category !== event.wanted)
  expect(told.length).toBeGreaterThanOrEqual(240)
  expect(right.length / told.length).toBeGreaterThanOrEqual(0.97)
  expect(sureAndWrong.length / sure.length).toBeLessThanOrEqual(0.01)
})

test.each([1, 2, 3])('every event of the demo web has its category (seed %d)', async (seed) => {
  const web = await startDemoWeb({ seed, now: new Date('2026-11-15T12:00:00Z') })
  try {
    const events = web.sites.flatMap((site) =>
      site.truth().items.filter((item) => item.kind === 'calendar_event'),
    )
    const wrong = events
      .map(({ title, description, location, category }) => ({
        title,
        category,
        got: classify({
          title,
          description: description ?? '',
          tags: [],
          venue: location?.name ?? '',
        }).category,
      }))
      .filter(({ category, got }) => category !== null && category !== got)
    expect(events.length).toBeGreaterThan(100)
    expect(wrong).toEqual([])
  } finally {
    await web.close()
  }
})

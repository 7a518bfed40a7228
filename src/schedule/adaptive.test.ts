import { expect, test } from 'vitest'
import { adaptInterval, stretched } from './adaptive.ts'

const quiet = {
  baselineMinutes: 60,
  unchangedCount: 0,
  previousHash: 'a',
  hash: 'a',
  itemsSeen: null,
  itemsNew: null,
}

test('an unchanged start page doubles the interval up to a day', () => {
  const minutes = [1, 2, 3, 4, 5, 9].map((count) => stretched(60, count))
  expect(minutes).toEqual([120, 240, 480, 960, 1440, 1440])
  expect(adaptInterval(quiet)).toEqual({
    intervalMinutes: 120,
    unchangedCount: 1,
    contentHash: 'a',
    why: 'start page unchanged: every 120 minutes',
  })
})

test('a changed start page goes back to the baseline', () => {
  const adapted = adaptInterval({ ...quiet, unchangedCount: 4, hash: 'b' })
  expect(adapted).toMatchObject({ intervalMinutes: 60, unchangedCount: 0, contentHash: 'b' })
})

test('a page that changes without new items is still quiet', () => {
  const adapted = adaptInterval({ ...quiet, hash: 'b', itemsSeen: 40, itemsNew: 0 })
  expect(adapted).toMatchObject({
    intervalMinutes: 120,
    why: '0 of 40 items new: every 120 minutes',
  })
})

test('a trickle of new items shortens the interval by one step', () => {
  const adapted = adaptInterval({ ...quiet, unchangedCount: 3, itemsSeen: 40, itemsNew: 1 })
  expect(adapted.intervalMinutes).toBe(240)
})

test('many new items go back to the baseline although the page hash is the same', () => {
  const adapted = adaptInterval({ ...quiet, unchangedCount: 3, itemsSeen: 10, itemsNew: 5 })
  expect(adapted.intervalMinutes).toBe(60)
})

test('a run that compared nothing changes nothing', () => {
  const adapted = adaptInterval({ ...quiet, unchangedCount: 2, hash: null })
  expect(adapted).toMatchObject({ unchangedCount: 2, contentHash: 'a', intervalMinutes: 240 })
})

test('an interval longer than a day is never shortened', () => {
  expect(stretched(2880, 3)).toBe(2880)
})

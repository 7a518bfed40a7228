import { describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { parseEnvelope } from './envelope.ts'

const now = new Date('2026-03-01T10:00:00Z')
const payload = { name: 'A', url: 'https://a.example.com', enabled: true, selectors: null }
const message = (over: Record<string, unknown> = {}): string =>
  JSON.stringify({
    event_id: newId(),
    event_type: 'SOURCE_CREATED',
    source_id: newId(),
    timestamp: now.toISOString(),
    payload,
    ...over,
  })
const nested = `${'['.repeat(9999)}${']'.repeat(9999)}`

describe('a message that cannot be handled is refused with the reason', () => {
  test.each<[string, string | undefined, RegExp]>([
    ['no event field', undefined, /"event" is missing/],
    ['broken JSON', '{', /not valid JSON/],
    ['no object', '[]', /expected object/],
    ['an unknown type', message({ event_type: 'SOURCE_MOVED' }), /event_type/],
    ['no source', message({ source_id: 'x' }), /source_id/],
    ['no time', message({ timestamp: 'yesterday' }), /timestamp/],
    ['the zero time', message({ timestamp: '0001-01-01T00:00:00Z' }), /before the year 2000/],
    ['a far future', message({ timestamp: '2999-01-01T00:00:00Z' }), /more than an hour/],
    ['a payload without address', message({ payload: { name: 'A' } }), /payload: url/],
    ['a NUL', message({ payload: { ...payload, notes: '\0' } }), /no text may hold/],
    ['half a character', message({ payload: { ...payload, notes: '\ud800' } }), /no text may hold/],
    ['2 MB', message({ payload: { ...payload, notes: 'x'.repeat(2_000_000) } }), /larger than/],
    ['endless nesting', message().replace('"selectors":null', `"selectors":${nested}`), /nested/],
  ])('%s', (_what, raw, reason) => {
    const parsed = parseEnvelope(raw, now)
    expect(parsed).toMatchObject({ ok: false, reason: expect.stringMatching(reason) as string })
  })
})

test('nanoseconds, time zones and empty payloads of other programs are read', () => {
  for (const timestamp of ['2026-03-01T09:59:59.123456789Z', '2026-03-01T11:00:00+01:00'])
    expect(parseEnvelope(message({ timestamp }), now)).toMatchObject({ ok: true })
  expect(
    parseEnvelope(message({ event_type: 'SOURCE_ENABLED', payload: null }), now),
  ).toMatchObject({ ok: true, event: { payload: {} } })
})

import { afterAll, expect, test } from 'vitest'
import { noRedis, startRedis } from '../../test/harness/redis.ts'
import { createRedisCheck } from './redis-state.ts'

const redis = noRedis ? null : await startRedis()
afterAll(() => redis?.remove())

test.skipIf(redis === null)('Redis is told to answer, or why it does not', async () => {
  const url = redis?.url ?? ''
  expect(await createRedisCheck(url)()).toEqual({ configured: true, ok: true, reason: 'answers' })
  await redis?.stop()
  const state = await createRedisCheck(url)()
  expect(state).toMatchObject({ configured: true, ok: false })
  expect(state.reason).toContain('ECONNREFUSED')
})

test('no Redis is no trouble', async () => {
  expect(await createRedisCheck(null)()).toMatchObject({ configured: false, ok: true })
})

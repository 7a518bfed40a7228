import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeConfig, loadConfig } from './config.ts'

test('defaults need no environment at all', () => {
  expect(loadConfig({})).toMatchObject({
    port: 8060,
    leaseSeconds: 15,
    roles: ['api', 'scheduler', 'worker', 'relay'],
  })
})

test('a misspelt variable is refused with the name that was meant', () => {
  expect(() => loadConfig({ CRAWLER_RESPECT_ROBOT_TXT: 'true' })).toThrow(
    'did you mean CRAWLER_RESPECT_ROBOTS_TXT?',
  )
})

test('every wrong value is reported at once, by name', () => {
  expect(() =>
    loadConfig({ PORT: '99999', MILLRACE_ROLES: 'api,wroker', CRAWLER_PROXIES_ENABLED: 'maybe' }),
  ).toThrow(/PORT: .*\n.*MILLRACE_ROLES: "wroker".*\n.*CRAWLER_PROXIES_ENABLED: "maybe"/)
})

test('a secret may come from a file, but not from both places', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'millrace-secret-')), 'secret')
  writeFileSync(file, 'from-a-file\n')
  expect(loadConfig({ AUTH_JWT_SECRET_FILE: file }).jwtSecret).toBe('from-a-file')
  expect(() => loadConfig({ AUTH_JWT_SECRET_FILE: file, AUTH_JWT_SECRET: 'x' })).toThrow('not both')
  expect(() => loadConfig({ AUTH_JWT_SECRET_FILE: '/nowhere' })).toThrow('AUTH_JWT_SECRET')
})

test('the printed configuration masks secrets and says where values come from', () => {
  const env = { AUTH_JWT_SECRET: 'very-secret', PORT: '9000' }
  const rows = describeConfig(loadConfig(env), env)
  expect(JSON.stringify(rows)).not.toContain('very-secret')
  expect(rows).toContainEqual(
    expect.objectContaining({ variable: 'PORT', value: '9000', origin: 'environment' }),
  )
})

test('the configuration cannot be changed after it was read', () => {
  expect(Object.isFrozen(loadConfig({}))).toBe(true)
})

import { expect, test } from 'vitest'
import { useApi } from '../../test/harness/api.ts'
import { useDatabase } from '../../test/harness/database.ts'
import { hashPassword } from '../access/passwords.ts'
import { createLoginLink, createUser } from '../access/users.ts'

const database = useDatabase()
const server = useApi(database)
let people = 0

async function person(role: 'viewer' | 'operator' | 'admin' = 'admin') {
  const email = `person-${++people}@example.org`
  const user = await createUser(database.sql, {
    email,
    role,
    passwordHash: await hashPassword('correct horse battery'),
  })
  if (user === null) throw new Error('email taken')
  return { email, user }
}

function login(email: string, password: string) {
  return server.api.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    payload: { email, password },
  })
}

test('a login sets an http-only cookie that later requests use', async () => {
  const { email } = await person()
  const response = await login(email, 'correct horse battery')
  const cookie = response.cookies[0]
  expect(cookie).toMatchObject({ name: 'millrace_session', httpOnly: true, sameSite: 'Strict' })
  const me = await server.api.inject({
    url: '/api/v1/auth/me',
    cookies: { millrace_session: cookie?.value ?? '' },
  })
  expect(me.json()).toMatchObject({ user: { email, role: 'admin' } })
})

test('five wrong passwords lock the account for a while, also for the right one', async () => {
  const { email } = await person()
  for (let attempt = 0; attempt < 5; attempt++)
    expect((await login(email, 'wrong password')).statusCode).toBe(401)
  const locked = await login(email, 'correct horse battery')
  expect(locked.statusCode).toBe(429)
  expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0)
  await database.sql`delete from login_failures`
})

test('a login link works once', async () => {
  const { user } = await person()
  const token = await createLoginLink(database.sql, user.id, 60_000)
  const use = () =>
    server.api.inject({ method: 'POST', url: '/api/v1/auth/login-link', payload: { token } })
  expect((await use()).statusCode).toBe(200)
  expect((await use()).statusCode).toBe(401)
})

test('logging out everywhere ends the sessions on other devices', async () => {
  const { email } = await person()
  const here = (await login(email, 'correct horse battery')).cookies[0]?.value ?? ''
  const there = (await login(email, 'correct horse battery')).cookies[0]?.value ?? ''
  await server.api.inject({
    method: 'POST',
    url: '/api/v1/auth/logout?everywhere=true',
    cookies: { millrace_session: here },
  })
  const me = await server.api.inject({
    url: '/api/v1/auth/me',
    cookies: { millrace_session: there },
  })
  expect(me.statusCode).toBe(401)
})

test('a request with a cookie from another site is refused', async () => {
  const { email } = await person()
  const session = (await login(email, 'correct horse battery')).cookies[0]?.value ?? ''
  const response = await server.api.inject({
    method: 'POST',
    url: '/api/v1/auth/logout',
    cookies: { millrace_session: session },
    headers: { origin: 'https://evil.example', host: 'millrace.example' },
  })
  expect(response.statusCode).toBe(403)
})

test('an API key is shown once, works, counts its use, and stops at its quota', async () => {
  const created = await server.api.inject({
    method: 'POST',
    url: '/api/v1/api-keys',
    headers: server.as('admin'),
    payload: { name: 'reader', daily_quota: 2 },
  })
  const { key, id } = created.json<{ key: string; id: string }>()
  const call = () => server.api.inject({ url: '/api/v1/auth/me', headers: { 'x-api-key': key } })
  expect((await call()).statusCode).toBe(200)
  expect((await call()).statusCode).toBe(200)
  expect((await call()).statusCode).toBe(429)
  const listed = await server.api.inject({ url: '/api/v1/api-keys', headers: server.as('admin') })
  const record = listed
    .json<{ data: Record<string, unknown>[] }>()
    .data.find((entry) => entry['id'] === id)
  expect(record).toMatchObject({ used_today: 3, last_used_at: expect.any(String) })
  expect(JSON.stringify(record)).not.toContain(key)
  await server.api.inject({
    method: 'DELETE',
    url: `/api/v1/api-keys/${id}`,
    headers: server.as('admin'),
  })
  expect((await call()).statusCode).toBe(401)
})

test('the last admin can neither be removed nor demoted', async () => {
  await database.sql`delete from users`
  const { user } = await person('admin')
  const removed = await server.api.inject({
    method: 'DELETE',
    url: `/api/v1/users/${user.id}`,
    headers: server.as('admin'),
  })
  const demoted = await server.api.inject({
    method: 'PATCH',
    url: `/api/v1/users/${user.id}`,
    headers: server.as('admin'),
    payload: { role: 'viewer' },
  })
  expect([removed.statusCode, demoted.statusCode]).toEqual([409, 409])
})

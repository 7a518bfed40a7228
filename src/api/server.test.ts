import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { useApi } from '../../test/harness/api.ts'
import { useDatabase } from '../../test/harness/database.ts'
import { createTokens } from '../access/tokens.ts'

const logged: { level: string; msg: string }[] = []
const log = pino(
  { level: 'debug', formatters: { level: (label) => ({ level: label }) } },
  { write: (line: string) => void logged.push(JSON.parse(line) as { level: string; msg: string }) },
)
const database = useDatabase()
const server = useApi(database, { log, env: { MILLRACE_BODY_LIMIT_BYTES: '2048' } })

describe('bad input gets a problem response and nothing is logged as an error', () => {
  const cases: [string, () => InjectOptions, number, string][] = [
    [
      'malformed JSON',
      () => ({
        method: 'POST',
        url: '/api/v1/auth/login',
        headers: { 'content-type': 'application/json' },
        payload: '{"email":',
      }),
      400,
      'not valid JSON',
    ],
    [
      'a wrong type',
      () => ({ method: 'POST', url: '/api/v1/auth/login', payload: { email: 5, password: 'x' } }),
      400,
      'email',
    ],
    [
      'an oversize body',
      () => ({
        method: 'POST',
        url: '/api/v1/auth/login',
        payload: { email: 'a@b.c', password: 'x'.repeat(5000) },
      }),
      413,
      'larger than allowed',
    ],
    [
      'an unknown media type',
      () => ({
        method: 'POST',
        url: '/api/v1/auth/login',
        headers: { 'content-type': 'text/yaml' },
        payload: 'a: b',
      }),
      415,
      'application/json',
    ],
    [
      'an unknown route',
      () => ({ method: 'GET', url: '/api/v1/nothing-here' }),
      404,
      '/api/v1/nothing-here',
    ],
    ['no login', () => ({ method: 'GET', url: '/api/v1/auth/me' }), 401, 'session cookie'],
    [
      'a forged token',
      () => ({
        method: 'GET',
        url: '/api/v1/auth/me',
        headers: {
          authorization: `Bearer ${createTokens('another').signService('x', 'admin', 60_000)}`,
        },
      }),
      401,
      'token',
    ],
    [
      'an expired token',
      () => ({
        method: 'GET',
        url: '/api/v1/auth/me',
        headers: { authorization: `Bearer ${expiredToken()}` },
      }),
      401,
      'token',
    ],
    [
      'a token without algorithm',
      () => ({
        method: 'GET',
        url: '/api/v1/auth/me',
        headers: { authorization: `Bearer ${unsignedToken()}` },
      }),
      401,
      'token',
    ],
    [
      'too few rights',
      () => ({ method: 'GET', url: '/api/v1/users', headers: server.as('operator') }),
      403,
      'admin',
    ],
    [
      'an id that is none',
      () => ({ method: 'DELETE', url: '/api/v1/users/not-an-id', headers: server.as('admin') }),
      400,
      'id',
    ],
  ]
  test.each(cases)('%s', async (_name, request, status, detail) => {
    logged.length = 0
    const response = await server.api.inject(request())
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-type']).toContain('application/problem+json')
    const body = response.json<Record<string, unknown>>()
    expect(body).toMatchObject({
      status,
      request_id: expect.any(String),
      title: expect.any(String),
    })
    expect(String(body['detail'])).toContain(detail)
    expect(logged.filter((line) => ['error', 'fatal', 'warn'].includes(line.level))).toEqual([])
  })
})

test('validation errors name each wrong field', async () => {
  const response = await server.api.inject({
    method: 'POST',
    url: '/api/v1/users',
    headers: server.as('admin'),
    payload: { email: 'nobody', role: 'king' },
  })
  const fields = response.json<{ errors: { field: string }[] }>().errors.map((error) => error.field)
  expect(fields.sort()).toEqual(['email', 'role'])
})

test('the API describes itself as OpenAPI 3.1 and has a page to browse it', async () => {
  const description = await server.api.inject({ url: '/api/openapi.json' })
  expect(description.json()).toMatchObject({
    openapi: '3.1.0',
    paths: { '/api/v1/auth/login': expect.anything() },
  })
  const page = await server.api.inject({ url: '/api/docs/' })
  expect(page.statusCode).toBe(200)
})

test('ready tells each check with a reason, and health needs no login', async () => {
  const ready = await server.api.inject({ url: '/ready' })
  expect(ready.json()).toMatchObject({
    status: 'ready',
    checks: [
      { name: 'database', ok: true },
      { name: 'migrations', ok: true },
      { name: 'roles', ok: true },
    ],
  })
  expect((await server.api.inject({ url: '/health' })).statusCode).toBe(200)
})

test('metrics need a login and count requests by route pattern', async () => {
  expect((await server.api.inject({ url: '/metrics' })).statusCode).toBe(401)
  const metrics = await server.api.inject({ url: '/metrics', headers: server.as('viewer') })
  expect(metrics.body).toContain('millrace_http_requests_total')
})

test('answers carry security headers and a request id', async () => {
  const response = await server.api.inject({
    url: '/health',
    headers: { 'x-request-id': 'from-the-caller' },
  })
  expect(response.headers).toMatchObject({
    'x-request-id': 'from-the-caller',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'self'"),
  })
})

function expiredToken(): string {
  const real = Date.now
  Date.now = () => real() - 7_200_000
  try {
    return createTokens('a-secret-for-tests').signService('x', 'admin', 60_000)
  } finally {
    Date.now = real
  }
}

function unsignedToken(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: 'x', role: 'admin', exp: 9_999_999_999 })}.`
}

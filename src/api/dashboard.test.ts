import fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from './context.ts'
import { serveDashboard } from './dashboard.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-dashboard-'))
const api: Api = fastify().withTypeProvider<ZodTypeProvider>()

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<title>Millrace</title>')
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'run()')
  await serveDashboard(api, folder)
})
afterAll(async () => {
  await api.close()
  rmSync(folder, { recursive: true })
})

test.each(['/', '/?source=1', '/pipeline', '/login?token=x'])(
  'the index page answers %s and is asked for again each time',
  async (url) => {
    const answer = await api.inject({ url })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.body).toBe('<title>Millrace</title>')
  },
)

test('assets may be kept forever', async () => {
  const answer = await api.inject({ url: '/assets/app-1a2b.js' })
  expect(answer.body).toBe('run()')
  expect(answer.headers['cache-control']).toContain('immutable')
})

test.each(['/api/v1/nothing', '/assets/gone.js', '/favicon.ico'])(
  '%s is not a page of the dashboard',
  async (url) => {
    const answer = await api.inject({ url })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ title: 'Not found' })
  },
)

import { expect, test } from 'vitest'
import { dispatchDue } from '../../src/flows/schedule-due.ts'
import { appendLogs } from '../../src/runs/logs.ts'
import { waitFor } from '../harness/wait.ts'
import { useQueueApi } from './queue-api.ts'

const { database, clock, server, call, listening, job, claim } = useQueueApi()

test.each(['crawler', 'health', 'metrics'])('the %s stream begins with the state', async (name) => {
  const ended = new AbortController()
  const response = await fetch(`${await listening()}/sse/${name}/events`, {
    headers: server.as('viewer'),
    signal: ended.signal,
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body?.getReader()
  let text = ''
  await waitFor('the first message', async () => {
    text += Buffer.from((await reader?.read())?.value ?? []).toString()
    return text.includes('data:')
  })
  ended.abort()
  expect(text).toContain(`event: ${name}`)
})

test('logs are listed, downloaded and followed without a gap or a repeat', async () => {
  const { id } = await job()
  await dispatchDue(database.sql, clock.now())
  const run = await claim()
  let written = 0
  const write = async (n: number): Promise<void> => {
    const lines = Array.from({ length: n }, () => ({
      at: new Date(),
      level: 'info' as const,
      category: 'fetch',
      message: `line ${++written}`,
    }))
    await appendLogs(database.sql, [{ runId: run.id, token: run.leaseToken, lines }])
  }
  await write(250)
  const address = await listening()
  const stream = await follow(`${address}/api/v1/jobs/${id}/logs/stream/v2`)
  for (let i = 0; i < 10; i++) await write(5)
  await waitFor('the last line', () => stream.messages().at(-1) === 'line 300')
  const first = Number(stream.messages()[0]?.slice(5))
  expect(301 - first).toBeGreaterThanOrEqual(200)
  expect(stream.messages()).toEqual(
    Array.from({ length: 301 - first }, (_, i) => `line ${first + i}`),
  )
  const lastId = stream.lastId()
  stream.close()
  await write(5)
  const resumed = await follow(`${address}/api/v1/jobs/${id}/logs/stream/v2`, lastId)
  await waitFor('the missed lines', () => resumed.messages().length === 5)
  expect(resumed.messages()[0]).toBe('line 301')
  resumed.close()
  const listed = await call('GET', `/api/v1/runs/${run.id}/logs?limit=2&offset=1`)
  expect(listed.body).toMatchObject({
    total: 305,
    data: [{ message: 'line 2' }, { message: 'line 3' }],
  })
  const file = await server.api.inject({
    url: `/api/v1/jobs/${id}/logs/download`,
    headers: server.as('viewer'),
  })
  expect(file.body.trim().split('\n').length).toBe(305)
})

async function follow(url: string, lastId?: string) {
  const abort = new AbortController()
  const headers = {
    ...server.as('viewer'),
    ...(lastId !== undefined && { 'last-event-id': lastId }),
  }
  const response = await fetch(url, { headers, signal: abort.signal })
  let text = ''
  void (async () => {
    try {
      const reader = response.body?.getReader()
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
        text += Buffer.from(part.value).toString()
      }
    } catch {
      // The test closed it.
    }
  })()
  return {
    messages: () =>
      [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => {
        const line: { message: string } = JSON.parse(data ?? '{}')
        return line.message
      }),
    lastId: () => [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? '',
    close: () => abort.abort(),
  }
}

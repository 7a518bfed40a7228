// Sends stage events from a process of its own and prints what it measured as JSON.
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    token: { type: 'string', default: '' },
    batch: { type: 'string', default: '1' },
    requests: { type: 'string', default: '100' },
    parallel: { type: 'string', default: '1' },
    /** Ends earlier on a slow machine. */
    seconds: { type: 'string', default: '15' },
    name: { type: 'string', default: 'load' },
  },
})
const batchSize = Number(values.batch)
const requests = Number(values.requests)
const stages = ['crawled', 'indexed', 'classified', 'routed', 'published']
const dispatcher = new Agent({ connections: 64 })
const times: number[] = []
let next = 0
let created = 0

function eventOf(number: number): Record<string, unknown> {
  const stage = stages[number % 5] ?? 'crawled'
  const article = Math.floor(number / 5)
  return {
    article_url: `https://load.example.com/${values.name}/article-${article}-with-a-title-of-usual-length`,
    source_name: `source_${(article % 200) + 1}`,
    stage,
    occurred_at: new Date().toISOString(),
    service_name: 'load',
    metadata:
      stage === 'classified'
        ? { quality_score: article % 100, topics: ['news'], model_version: 'v2.1' }
        : { n: number },
  }
}

async function sendNext(): Promise<boolean> {
  const number = next++
  if (number >= requests || performance.now() - began > Number(values.seconds) * 1000) return false
  const events = Array.from({ length: batchSize }, (_, index) =>
    eventOf(number * batchSize + index),
  )
  const body = JSON.stringify(batchSize === 1 ? events[0] : { events })
  const sentAt = performance.now()
  const answer = await request(`${values.url}/api/v1/events${batchSize === 1 ? '' : '/batch'}`, {
    method: 'POST',
    dispatcher,
    headers: { authorization: `Bearer ${values.token}`, 'content-type': 'application/json' },
    body,
  })
  const text = await answer.body.text()
  times.push(performance.now() - sentAt)
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode}: ${text.slice(0, 300)}`)
  created += batchSize
  return true
}

const began = performance.now()
await Promise.all(
  Array.from({ length: Number(values.parallel) }, async () => {
    while (await sendNext());
  }),
)
const seconds = (performance.now() - began) / 1000
await dispatcher.close()
console.log(JSON.stringify({ created, seconds, times }))

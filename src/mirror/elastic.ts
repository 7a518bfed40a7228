import { messageOf } from '../kernel/errors.ts'

export interface BulkAction {
  id: string
  index: string
  /** Null deletes the document. */
  document: Record<string, unknown> | null
}

export interface BulkOutcome {
  ok: boolean
  /** Trying again later may help. */
  temporary: boolean
  error: string | null
}

export type BulkResult =
  | { reached: true; outcomes: BulkOutcome[] }
  | { reached: false; error: string; retryAfterMs: number | null }

export interface Elastic {
  bulk(actions: readonly BulkAction[]): Promise<BulkResult>
  /** Makes the index with our mapping, unless it is there. */
  ensureIndex(index: string): Promise<BulkOutcome>
}

const timeoutMs = 30_000

/** The few calls the mirror needs, by plain HTTP: works with Elasticsearch and OpenSearch alike. */
export function connectElastic(url: string): Elastic {
  const { origin, username, password, pathname } = new URL(url)
  const base = `${origin}${pathname.replace(/\/$/, '')}`
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization =
    username === '' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
  const call = async (method: 'POST' | 'PUT', path: string, type: string, body: string) => {
    const { request } = await import('undici')
    const answer = await request(`${base}${path}`, {
      method,
      body,
      headers: { 'content-type': type, ...authorization },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    return {
      status: answer.statusCode,
      retryAfter: Number(answer.headers['retry-after']),
      text: await answer.body.text(),
    }
  }
  return {
    bulk: async (actions) => {
      try {
        const lines = actions.map(linesOf).join('')
        const answer = await call('POST', '/_bulk', 'application/x-ndjson', lines)
        if (answer.status !== 200)
          return {
            reached: false,
            error: `HTTP ${answer.status}: ${answer.text.slice(0, 300)}`,
            retryAfterMs: answer.retryAfter > 0 ? answer.retryAfter * 1000 : null,
          }
        return { reached: true, outcomes: outcomesOf(answer.text, actions.length) }
      } catch (error) {
        return { reached: false, error: messageOf(error), retryAfterMs: null }
      }
    },
    ensureIndex: async (index) => {
      try {
        const { status, text } = await call('PUT', `/${index}`, 'application/json', mapping)
        const there = status === 400 && text.includes('resource_already_exists')
        return { ...outcomeOf(status, text), ...(there && { ok: true, error: null }) }
      } catch (error) {
        return { ok: false, temporary: true, error: messageOf(error) }
      }
    },
  }
}

const text = { type: 'text' }
const keyword = { type: 'keyword' }
const date = { type: 'date' }
/** Nothing is guessed from the first document: a field that came as an object once would refuse every text after it. */
const mapping = JSON.stringify({
  mappings: {
    dynamic: false,
    properties: {
      kind: keyword,
      title: text,
      description: text,
      text,
      url: keyword,
      source_id: keyword,
      source_name: keyword,
      language: keyword,
      tags: keyword,
      image_url: keyword,
      author: keyword,
      category: keyword,
      status: keyword,
      venue_name: text,
      city: keyword,
      location: { type: 'geo_point' },
      starts_at: date,
      ends_at: date,
      published_at: date,
      updated_at: date,
      quality_score: { type: 'integer' },
      content_type: keyword,
      topics: keyword,
      confidence: { type: 'float' },
      model_version: keyword,
      content_hash: keyword,
      classified_at: date,
    },
  },
})

function linesOf({ id, index, document }: BulkAction): string {
  const where = { _index: index, _id: id }
  return document === null
    ? `${JSON.stringify({ delete: where })}\n`
    : `${JSON.stringify({ index: where })}\n${JSON.stringify(document)}\n`
}

interface Answered {
  status?: number
  error?: unknown
}

/** One outcome per action, in their order. */
function outcomesOf(body: string, count: number): BulkOutcome[] {
  const { items = [] } = JSON.parse(body) as { items?: Record<string, Answered>[] }
  return Array.from({ length: count }, (_, at) => {
    const item = items[at] ?? {}
    const { status = 500, error } = item['index'] ?? item['delete'] ?? {}
    // Deleting what is not there is done.
    if (status === 404 && item['delete'] !== undefined)
      return { ok: true, temporary: false, error: null }
    return outcomeOf(status, JSON.stringify(error ?? null))
  })
}

function outcomeOf(status: number, message: string): BulkOutcome {
  const ok = status >= 200 && status < 300
  const temporary = status === 429 || status >= 500
  return { ok, temporary, error: ok ? null : `HTTP ${status}: ${message.slice(0, 500)}` }
}

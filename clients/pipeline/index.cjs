'use strict'
// The one implementation; index.js hands it on to ES modules.
const { createHash } = require('node:crypto')

const defaults = {
  timeoutMs: 2000,
  maxBuffered: 1000,
  batchSize: 500,
  batchDelayMs: 100,
  breaker: { failures: 5, cooldownMs: 30_000, successes: 2 },
}

function createPipelineClient(options = {}) {
  const settings = { ...defaults, ...options, breaker: { ...defaults.breaker, ...options.breaker } }
  const now = settings.now ?? Date.now
  const baseUrl = settings.url ?? process.env.PIPELINE_SERVICE_URL ?? ''
  const endpoint = baseUrl.replace(/\/+$/, '')
  const send = settings.fetch ?? globalThis.fetch
  const log = settings.log ?? { warn: (fields, message) => console.warn(message, fields) }
  const metrics = settings.metrics ?? {}
  const breaker = createBreaker(settings.breaker, now, (state, failures) => {
    metrics.circuit?.({ state, target: endpoint })
    if (state === 'open')
      log.warn(
        { service: settings.serviceName, target_url: endpoint, consecutive_failures: failures },
        'pipeline circuit breaker opened',
      )
  })
  let buffered = 0
  const inFlight = new Set()

  /** The time is taken here, at the call, in UTC; the key from it, so that a repetition is recognized. */
  function complete(event) {
    const occurredAt = toIso(event.occurred_at ?? event.occurredAt ?? new Date(now()))
    const full = {
      article_url: event.article_url ?? event.articleUrl,
      source_name: event.source_name ?? event.sourceName,
      stage: event.stage,
      occurred_at: occurredAt,
      service_name: event.service_name ?? event.serviceName ?? settings.serviceName,
    }
    if (event.metadata) full.metadata = event.metadata
    full.idempotency_key =
      event.idempotency_key ??
      event.idempotencyKey ??
      idempotencyKey({ ...full, metadata: event.metadata })
    return full
  }

  async function post(path, body, events) {
    if (!breaker.allows()) return fail(events, new Error('circuit breaker open'), 'dropped')
    const began = now()
    try {
      const response = await send(endpoint + path, {
        method: 'POST',
        headers: headers(settings),
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(settings.timeoutMs),
      })
      const text = await response.text()
      metrics.duration?.((now() - began) / 1000)
      if (response.status >= 500 || response.status === 429)
        throw new Error(`HTTP ${response.status}`)
      breaker.succeeded()
      if (!response.ok)
        return fail(events, new Error(`HTTP ${response.status}: ${text.slice(0, 300)}`), 'error')
      for (const event of events) metrics.emitted?.({ status: 'success', stage: event.stage })
      return { ok: true, status: response.status, body: parse(text) }
    } catch (error) {
      breaker.failed()
      return fail(events, error, 'error')
    }
  }

  function fail(events, error, status) {
    for (const event of events) metrics.emitted?.({ status, stage: event.stage })
    const [first] = events
    log.warn(
      {
        stage: first?.stage,
        url_hash: first === undefined ? undefined : urlHash(first.article_url).slice(0, 8),
        service: first?.service_name,
        events: events.length,
        error: error.message,
      },
      'pipeline event not delivered',
    )
    return { ok: false, error }
  }

  /** Takes room in the buffer, so that a slow service costs bounded memory: what does not fit is dropped and told. */
  function track(events, path, body) {
    if (endpoint === '') return Promise.resolve({ ok: true, skipped: true })
    if (buffered + events.length > settings.maxBuffered)
      return Promise.resolve(fail(events, new Error('buffer full'), 'dropped'))
    buffered += events.length
    const work = post(path, body, events).finally(() => {
      buffered -= events.length
      inFlight.delete(work)
    })
    inFlight.add(work)
    return work
  }

  function safely(events, run) {
    try {
      return run()
    } catch (error) {
      return Promise.resolve(fail(events, error, 'error'))
    }
  }

  const client = {
    emit: (event) =>
      safely([], () => {
        const full = complete(event)
        return track([full], '/api/v1/events', full)
      }),
    emitBatch: (events) =>
      safely([], () => {
        const full = events.map(complete)
        if (full.length === 0) return Promise.resolve({ ok: true, skipped: true })
        return track(full, '/api/v1/events/batch', { events: full })
      }),
    emitMany: async (events) => {
      const results = []
      const all = [...events]
      for (let at = 0; at < all.length; at += settings.batchSize) {
        if (at > 0) await new Promise((resolve) => setTimeout(resolve, settings.batchDelayMs))
        results.push(await client.emitBatch(all.slice(at, at + settings.batchSize)))
      }
      return results
    },
    flush: async () => {
      while (inFlight.size > 0) await Promise.allSettled(inFlight)
    },
    health: () => ({
      enabled: endpoint !== '',
      target_url: endpoint,
      circuit: breaker.state(),
      buffered,
    }),
  }
  return client
}

function headers(settings) {
  const sent = { 'content-type': 'application/json' }
  if (settings.apiKey) sent['x-api-key'] = settings.apiKey
  if (settings.token) sent.authorization = `Bearer ${settings.token}`
  return sent
}

/** Opens after failures in a row, lets calls through again after a pause, closes after successes in a row. */
function createBreaker(options, now, onChange) {
  let state = 'closed'
  let failures = 0
  let successes = 0
  let openedAt = 0
  const become = (next) => {
    if (state === next) return
    state = next
    onChange(next, failures)
  }
  return {
    state: () => state,
    allows: () => {
      if (state !== 'open') return true
      if (now() - openedAt < options.cooldownMs) return false
      successes = 0
      become('half_open')
      return true
    },
    succeeded: () => {
      failures = 0
      successes++
      if (state === 'half_open' && successes >= options.successes) become('closed')
    },
    failed: () => {
      failures++
      if (state !== 'half_open' && failures < options.failures) return
      openedAt = now()
      become('open')
    },
  }
}

/** {service}:{stage}:{url_hash_8}:{occurred_at}, with the model's version for a reclassification. */
function idempotencyKey(event) {
  const again = event.metadata?.is_reclassification === true && event.metadata.model_version
  const parts = [event.service_name, event.stage, urlHash(event.article_url).slice(0, 8)]
  if (again) parts.push(event.metadata.model_version)
  return [...parts, event.occurred_at].join(':')
}

function urlHash(url) {
  return createHash('sha256').update(String(url)).digest('hex')
}

function toIso(time) {
  return (time instanceof Date ? time : new Date(time)).toISOString()
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

module.exports = { createPipelineClient, idempotencyKey }

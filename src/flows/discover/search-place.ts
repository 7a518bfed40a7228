import { advancePlace, completePlace, postponePlace, type Place } from '../../discover/places.ts'
import { findAnswer, keepAnswer } from '../../discover/answers.ts'
import { addCandidate, knownCandidates } from '../../discover/candidates.ts'
import { isNoise } from '../../discover/noise.ts'
import { languageOf } from '../../discover/queries.ts'
import type { Search, SearchResult } from '../../discover/search.ts'
import type { Sql } from '../../db/pool.ts'
import { backoffMs } from '../../kernel/backoff.ts'
import type { Clock } from '../../kernel/clock.ts'
import { RetryLater, messageOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { findByAddress, sourceIdentity } from '../../sources/store.ts'
import { assess } from './assess.ts'
import type { SourcePreview } from '../preview/preview-source.ts'

export interface DiscoverDeps {
  sql: Sql
  clock: Clock
  log: Log
  search: Search
  preview: (url: string) => Promise<SourcePreview>
}

/** A search of this week is not paid for twice. */
const freshMs = 6 * 86_400_000
const retry = { baseMs: 15 * 60_000, maxMs: 12 * 3_600_000, jitter: 0.2 }

/**
 * Works through the searches of one place from its checkpoint. Every query commits by itself, so a crash or a service
 * that wants a pause costs nothing that was done.
 */
export async function searchPlace(deps: DiscoverDeps, place: Place): Promise<number> {
  const { sql, clock, log } = deps
  let found = 0
  for (const query of place.queries.slice(place.checkpoint)) {
    try {
      const added = await judgeAll(deps, place, query, await resultsOf(deps, query, place.country))
      found += added
      if (!(await advancePlace(sql, place, added, clock.now()))) return found
    } catch (error) {
      const asked = error instanceof RetryLater ? (error.retryAfterMs ?? 0) : 0
      const wait = Math.max(asked, backoffMs(place.attempts, retry))
      const retryAt = new Date(clock.now().getTime() + wait)
      await postponePlace(sql, place, { reason: messageOf(error), retryAt })
      log.warn({ place: place.name, query, reason: messageOf(error), retryAt }, 'search postponed')
      return found
    }
  }
  await completePlace(sql, place, clock.now())
  return found
}

/** From the service, or what it gave last time when it is away. */
async function resultsOf(
  { sql, clock, search, log }: DiscoverDeps,
  query: string,
  country: string,
): Promise<SearchResult[]> {
  const kept = await findAnswer(sql, query, country)
  const now = clock.now()
  if (kept !== null && now.getTime() - kept.fetchedAt.getTime() < freshMs) return kept.results
  try {
    const results = await search(query, { country, language: languageOf(country) })
    await keepAnswer(sql, query, country, { results, fetchedAt: now })
    return results
  } catch (error) {
    if (kept === null) throw error
    log.warn({ query, reason: messageOf(error) }, 'search service away; using its last answer')
    return kept.results
  }
}

/** Looks at every address nobody knows yet, one at a time: discovery is in no hurry. */
async function judgeAll(
  deps: DiscoverDeps,
  place: Place,
  query: string,
  results: readonly SearchResult[],
): Promise<number> {
  const { sql, clock, log } = deps
  const byKey = new Map<string, SearchResult>()
  for (const result of results) {
    const key = sourceIdentity(result.url)?.url_key
    if (key !== undefined && !isNoise(result.url)) byKey.set(key, result)
  }
  const keys = [...byKey.keys()]
  const known = await knownCandidates(sql, keys)
  for (const source of await findByAddress(sql, keys)) known.add(source.url_key)
  let added = 0
  for (const [urlKey, result] of byKey) {
    if (known.has(urlKey)) continue
    const assessed = assess(await deps.preview(result.url), result, place, clock.now())
    if (assessed === null) {
      log.info({ url: result.url, place: place.name }, 'candidate cannot be reached')
      continue
    }
    const candidate = { ...assessed, urlKey, url: result.url, query, placeId: place.id }
    if (await addCandidate(sql, candidate, clock.now())) added++
  }
  return added
}

import type { FailureKind } from './fetch/types.ts'

/** What is wrong with a feed, as far as it decides when to ask again. */
export type FeedTrouble =
  'rate_limited' | 'forbidden' | 'not_found' | 'gone' | 'upstream' | 'network' | 'malformed'

interface Rule {
  /** Minutes before the second try; doubled with every failure. */
  first: number
  most: number
  /** Failures in a row after which it is asked no more, until somebody says so. */
  giveUpAfter: number
}

const hour = 60
const day = 24 * hour

/** A server in trouble recovers; an address that is gone or forbidden does not by being asked. */
const rules: Record<FeedTrouble, Rule> = {
  rate_limited: { first: 15, most: 6 * hour, giveUpAfter: Infinity },
  upstream: { first: 5, most: 12 * hour, giveUpAfter: 50 },
  network: { first: 10, most: day, giveUpAfter: 30 },
  malformed: { first: hour, most: day, giveUpAfter: 10 },
  forbidden: { first: hour, most: day, giveUpAfter: 5 },
  not_found: { first: 6 * hour, most: 2 * day, giveUpAfter: 5 },
  gone: { first: 0, most: 0, giveUpAfter: 1 },
}

export function feedTrouble(
  reason: FailureKind | 'unparsable',
  status: number | null,
): FeedTrouble {
  if (status === 410) return 'gone'
  if (reason === 'rate_limited' || status === 429) return 'rate_limited'
  if (reason === 'blocked' || status === 401 || status === 403) return 'forbidden'
  if (status === 404 || reason === 'gone' || reason === 'http_4xx') return 'not_found'
  if (reason === 'http_5xx') return 'upstream'
  const network = ['timeout', 'refused', 'dns', 'tls', 'private_address'].includes(reason)
  return network ? 'network' : 'malformed'
}

/** Minutes until the feed is asked again; null switches it off. */
export function feedRetryMinutes(
  trouble: FeedTrouble,
  failures: number,
  retryAfterMs: number | null,
): number | null {
  const { first, most, giveUpAfter } = rules[trouble]
  if (failures >= giveUpAfter) return null
  const wait = Math.min(first * 2 ** (failures - 1), most)
  return Math.max(wait, Math.min(Math.ceil((retryAfterMs ?? 0) / 60_000), 7 * day))
}

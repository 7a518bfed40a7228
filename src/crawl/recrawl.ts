import type { FrontierKind } from './frontier/types.ts'

interface Rhythm {
  first: number
  least: number
  most: number
}

const day = 1440

/** Minutes: listings are looked at often, single pages rarely and ever more rarely. */
const rhythms: Record<FrontierKind, Rhythm> = {
  listing: { first: 15, least: 5, most: day },
  feed: { first: 15, least: 5, most: day },
  sitemap: { first: 60, least: 30, most: 2 * day },
  page: { first: day, least: 60, most: 30 * day },
}

/** The next interval of a URL from its last one and whether it had changed: halved on change, doubled otherwise. */
export function nextInterval(
  kind: FrontierKind,
  previous: number | null,
  changed: boolean,
): number {
  const rhythm = rhythms[kind]
  if (previous === null) return rhythm.first
  const next = changed ? previous / 2 : previous * 2
  return Math.round(Math.min(Math.max(next, rhythm.least), rhythm.most))
}

/** Minutes before a failed URL is tried again; null gives it up. */
export function retryInterval(attempts: number, maxAttempts: number): number | null {
  return attempts >= maxAttempts ? null : Math.min(5 * 2 ** (attempts - 1), day)
}

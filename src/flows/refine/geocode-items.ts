import { setTimeout as sleep } from 'node:timers/promises'
import { mayTry, recordOutcomes } from '../../breakers/store.ts'
import { waitForSlot } from '../../crawl/politeness/slots.ts'
import { transaction, type Sql } from '../../db/pool.ts'
import type { Duty } from '../../db/leader.ts'
import { enqueueDedup } from '../../items/dedup/queue.ts'
import {
  finishFollowUp,
  leaseFollowUps,
  postponeFollowUps,
  type LeasedFollowUp,
} from '../../items/follow-ups.ts'
import {
  cachedPlaces,
  cachePlace,
  eventsToImprove,
  improveEvent,
  type EventToImprove,
} from '../../items/improve.ts'
import type { Clock } from '../../kernel/clock.ts'
import { messageOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { startLoop } from '../../kernel/loop.ts'
import type { Geocoder } from '../../normalize/geocode/nominatim.ts'

export interface GeocodeDeps {
  sql: Sql
  clock: Clock
  log: Log
  geocoder: Geocoder
  /** Between two questions of all processes together; public services allow one a second. */
  minDelayMs?: number
  batchSize?: number
}

export const geocoderBreaker = { kind: 'service', key: 'geocoder' } as const

/** A busy process sends later than its turn was, and the next one must not be too near. */
const latenessMs = 20
const cacheMs = 90 * 86_400_000
const leaseMs = 5 * 60_000
const retryMs = 15 * 60_000
/** An answer further away than this from the town it should be in is another place of that name. */
const mostKmOff = 40

/** Asks the geocoder for better coordinates of what the gazetteer only knew by town; off the path of the items. */
export function startGeocoding(deps: GeocodeDeps): Duty {
  return startLoop({
    name: 'geocoding',
    everyMs: 10_000,
    log: deps.log,
    runOnce: async (signal) => ((await geocodeOnce(deps, signal)) > 0 ? 'again' : undefined),
  })
}

/** One batch; gives how many places were settled. */
export async function geocodeOnce(deps: GeocodeDeps, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = deps
  if ((await mayTry(sql, geocoderBreaker.kind, geocoderBreaker.key, clock.now())) === 'open')
    return 0
  const leased = await leaseFollowUps(sql, 'geocode', clock.now(), deps.batchSize ?? 20, leaseMs)
  if (leased.length === 0) return 0
  const events = new Map(
    (
      await eventsToImprove(
        sql,
        leased.map((one) => one.itemId),
      )
    ).map((event) => [event.id, event]),
  )
  const queries = [...events.values()].flatMap((event) => event.geoQuery ?? [])
  const known = await cachedPlaces(sql, queries, new Date(clock.now().getTime() - cacheMs))
  let settled = 0
  for (const [index, one] of leased.entries()) {
    const event = events.get(one.itemId)
    const query = event?.geoQuery ?? null
    try {
      if (query !== null && !known.has(query)) {
        await waitTurn(deps, signal)
        const place = await deps.geocoder(query, signal)
        await cachePlace(sql, query, place, clock.now())
        known.set(query, place)
        await recordOutcomes(sql, [{ ...geocoderBreaker, ok: true }], clock.now())
      }
    } catch (error) {
      // A question that we broke off ourselves says nothing about the service.
      const stopped = signal?.aborted === true
      if (!stopped) await recordOutage(deps, error)
      const at = new Date(clock.now().getTime() + (stopped ? 0 : retryMs))
      // An outage is not the item's fault: it is asked again as often as it takes.
      await postponeFollowUps(sql, 'geocode', leased.slice(index), {
        at,
        countAttempt: false,
        maxAttempts: 1000,
      })
      return settled
    }
    await settle(deps, one, event ?? null, query === null ? null : (known.get(query) ?? null))
    settled++
  }
  return settled
}

async function recordOutage({ sql, clock, log }: GeocodeDeps, error: unknown): Promise<void> {
  const reason = messageOf(error)
  log.info({ reason }, 'geocoder not available; events stay at town level')
  await recordOutcomes(sql, [{ ...geocoderBreaker, ok: false, error: reason }], clock.now())
}

async function settle(
  { sql, clock }: GeocodeDeps,
  one: LeasedFollowUp,
  event: EventToImprove | null,
  place: { lat: number; lng: number } | null,
): Promise<void> {
  await transaction(sql, async (tx) => {
    if (!(await finishFollowUp(tx, 'geocode', one)) || event === null || place === null) return
    const vague = event.precision === 'source' || event.precision === 'country'
    if (!vague && roughKm(event, place) > mostKmOff) return
    const fields = {
      lat: [event.lat, place.lat] as [unknown, unknown],
      lng: [event.lng, place.lng] as [unknown, unknown],
      geo_precision: [event.precision, 'address'] as [unknown, unknown],
    }
    if (await improveEvent(tx, event, fields, 'rules', clock.now()))
      await enqueueDedup(tx, 'calendar_event', [{ itemId: event.id, sourceId: event.sourceId }])
  })
}

function roughKm(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  return Math.hypot(
    (a.lat - b.lat) * 111,
    (a.lng - b.lng) * 111 * Math.cos((a.lat * Math.PI) / 180),
  )
}

/** Every worker asks: they take turns as crawlers of one host do. */
async function waitTurn(
  { sql, minDelayMs = 1000 }: GeocodeDeps,
  signal?: AbortSignal,
): Promise<void> {
  if (minDelayMs === 0) return
  const wait = await waitForSlot(sql, geocoderBreaker.key, minDelayMs + latenessMs)
  await sleep(wait, undefined, { signal })
}

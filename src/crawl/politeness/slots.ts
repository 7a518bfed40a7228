import type { Db } from '../../db/pool.ts'
import { createDatabaseClock, type DatabaseClock } from './database-clock.ts'

export interface SlotRequest {
  hostKey: string
  count: number
  delayMs: number
  /** Time of an earlier reservation that is not needed after all; void when somebody else reserved since. */
  handBack?: HandBack | null
}

export interface HandBack {
  /** Of the reservation. */
  until: number
  /** The moment, on the clock of `performance.now()`, from which it is not needed. */
  from: number
}

export interface Slots {
  /** When the reservation ends, on the clock of the database: its name when time is handed back. Null when it cannot be. */
  until: number | null
  /** The moments, on the clock of `performance.now()`; never earlier than they are. */
  moments: number[]
  /** How much earlier they may be, because nobody knows exactly what time it is at the database. */
  blurMs: number
}

/**
 * Reserves the next free moments of a host for `count` requests, `delayMs` apart. The row of the host is the one place
 * where all workers meet, and the database's clock the only one that counts, so the distance holds across the whole fleet. Whoever asks while a statement is under way shares the next one: a process
 * that asks hundreds of slow hosts at once needs a few statements a second, not hundreds.
 */
export function reserveSlots(db: Db, request: SlotRequest): Promise<Slots> {
  return new Promise((resolve, reject) => {
    const desk = desks.get(db) ?? { waiting: [], open: false, clock: createDatabaseClock() }
    desks.set(db, desk)
    desk.waiting.push({ ...request, resolve, reject })
    if (!desk.open) void serve(db, desk)
  })
}

/** For a single request: how long to wait for the next free moment of the host, in milliseconds. */
export async function waitForSlot(db: Db, hostKey: string, delayMs: number): Promise<number> {
  const { moments } = await reserveSlots(db, { hostKey, count: 1, delayMs })
  return Math.max(0, (moments[0] ?? 0) - performance.now())
}

interface Asked extends SlotRequest {
  resolve(slots: Slots): void
  reject(error: unknown): void
}

interface Desk {
  waiting: Asked[]
  open: boolean
  clock: DatabaseClock
}

const desks = new WeakMap<Db, Desk>()
const mostTogether = 500

async function serve(db: Db, desk: Desk): Promise<void> {
  desk.open = true
  while (desk.waiting.length > 0) {
    const asked = desk.waiting.splice(0, mostTogether)
    try {
      const { firsts, untils } = await reserve(db, desk.clock, asked)
      handOut(asked, firsts, untils, desk.clock)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
  desk.open = false
}

/** For each host the first of the moments asked for and the end of the last, on the clock of the database. */
async function reserve(
  db: Db,
  clock: DatabaseClock,
  asked: readonly Asked[],
): Promise<{ firsts: Map<string, number>; untils: Map<string, number> }> {
  const spans = new Map<string, number>()
  const backs = new Map<string, HandBack>()
  for (const { hostKey, count, delayMs, handBack } of asked) {
    spans.set(hostKey, (spans.get(hostKey) ?? 0) + count * delayMs)
    // Only the last reservation of a host can be cut short.
    if (handBack && handBack.until > (backs.get(hostKey)?.until ?? 0)) backs.set(hostKey, handBack)
  }
  const freed = [...backs.values()]
  // In the order of their keys, so that two processes never wait for each other.
  const sent = performance.now()
  const rows = await db<{ key: string; until: number; now: number }[]>`
    with back as (
      select * from unnest(${[...backs.keys()]}::text[], ${freed.map(({ until }) => until)}::float8[],
        ${freed.map(({ from }) => clock.toTheirs(from))}::float8[]) as b (key, until, since))
    insert into hosts as h (host_key, next_slot_at)
    select key, statement_timestamp() + span * interval '1 millisecond'
    from unnest(${[...spans.keys()]}::text[], ${[...spans.values()]}::float8[]) as asked (key, span)
    order by key
    on conflict (host_key) do update set
      next_slot_at = greatest(h.blocked_until, clock_timestamp(), coalesce(
          (select to_timestamp(b.since / 1000) from back b
            where b.key = h.host_key and b.until = extract(epoch from h.next_slot_at)::float8 * 1000),
          h.next_slot_at))
        + (excluded.next_slot_at - statement_timestamp())
    returning host_key as key, extract(epoch from next_slot_at)::float8 * 1000 as until,
      extract(epoch from clock_timestamp())::float8 * 1000 as now`
  clock.learn(Math.max(...rows.map((row) => row.now)), sent, performance.now())
  return {
    firsts: new Map(rows.map(({ key, until }) => [key, until - (spans.get(key) ?? 0)])),
    untils: new Map(rows.map(({ key, until }) => [key, until])),
  }
}

/** Those who ask for the same host at once get its moments one after the other. */
function handOut(
  asked: readonly Asked[],
  firsts: Map<string, number>,
  untils: ReadonlyMap<string, number>,
  clock: DatabaseClock,
): void {
  const last = new Map(asked.map((one) => [one.hostKey, one]))
  for (const one of asked) {
    const { hostKey, count, delayMs, resolve } = one
    const first = firsts.get(hostKey) ?? 0
    firsts.set(hostKey, first + count * delayMs)
    const { moment, blurMs } = clock.toOurs(first)
    const moments = Array.from({ length: count }, (_, n) => moment + n * delayMs)
    // Behind the others lies the time of the last: only that can be handed back.
    const until = last.get(hostKey) === one ? (untils.get(hostKey) ?? null) : null
    resolve({ moments, blurMs, until })
  }
}

/** The host asked to be left alone: nobody gets a slot before that. */
export async function holdHost(db: Db, hostKey: string, ms: number): Promise<void> {
  await db`
    insert into hosts as h (host_key, blocked_until)
    values (${hostKey}, clock_timestamp() + ${ms} * interval '1 millisecond')
    on conflict (host_key) do update set blocked_until = greatest(h.blocked_until, excluded.blocked_until)`
}

/** The distance between two requests: the longest of what robots.txt, the source and the operator ask for. */
export function politeDelayMs(rules: {
  crawlDelayMs: number | null
  rateLimit: number | null
  floorMs: number
}): number {
  const bySource = rules.rateLimit === null || rules.rateLimit <= 0 ? 0 : 1000 / rules.rateLimit
  return Math.max(rules.crawlDelayMs ?? 0, bySource, rules.floorMs)
}

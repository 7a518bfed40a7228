import type { Db } from '../db/pool.ts'

export type BreakerKind = 'source' | 'host' | 'service'
export type BreakerState = 'closed' | 'open' | 'half_open'

export interface Breaker {
  kind: BreakerKind
  key: string
  /** What a person calls it, where the key is an id. */
  name?: string | null
  state: BreakerState
  failureCount: number
  consecutiveOpens: number
  lastFailureAt: Date | null
  lastError: string | null
  openedAt: Date | null
  cooldownUntil: Date | null
}

export interface BreakerOutcome {
  kind: BreakerKind
  key: string
  ok: boolean
  error?: string | null
  /** How many failures this one counts for; 1 when left out. */
  weight?: number
}

export interface BreakerRules {
  failures: number
  baseCooldownMinutes: number
  maxCooldownMinutes: number
  /** How long a probe may take before the next one may start. */
  probeMinutes: number
}

export const defaultBreakerRules: BreakerRules = {
  failures: 5,
  baseCooldownMinutes: 30,
  maxCooldownMinutes: 24 * 60,
  probeMinutes: 60,
}

/**
 * Counts how things went: closed opens after enough failures in a row, half open closes on success and opens again
 * on failure, and each opening without a success between doubles the cool-down. Returns the circuits that opened.
 */
export async function recordOutcomes(
  db: Db,
  outcomes: readonly BreakerOutcome[],
  now: Date,
  rules: BreakerRules = defaultBreakerRules,
): Promise<Breaker[]> {
  const failures = lastOfEach(outcomes.filter((outcome) => !outcome.ok))
  const successes = lastOfEach(outcomes.filter((outcome) => outcome.ok))
  await close(db, successes, now)
  return await countFailures(db, failures, now, rules)
}

/**
 * Whether the guarded thing may be asked now. An open circuit whose cool-down has passed lets exactly one caller
 * through as a probe.
 */
export async function mayTry(
  db: Db,
  kind: BreakerKind,
  key: string,
  now: Date,
  rules: BreakerRules = defaultBreakerRules,
): Promise<'closed' | 'probe' | 'open'> {
  const [probe] = await db`
    update breakers
    set state = 'half_open', probe_until = ${minutesAfter(now, rules.probeMinutes)}, updated_at = ${now}
    where kind = ${kind} and key = ${key}
      and ((state = 'open' and cooldown_until <= ${now}) or (state = 'half_open' and probe_until <= ${now}))
    returning 1`
  if (probe !== undefined) return 'probe'
  const [blocked] = await db`
    select 1 from breakers where kind = ${kind} and key = ${key} and state <> 'closed'`
  return blocked === undefined ? 'closed' : 'open'
}

/** An operator knows better: close it and forget the failures. */
export async function resetBreaker(
  db: Db,
  kind: BreakerKind,
  key: string,
  now: Date,
): Promise<Breaker | null> {
  const [row] = await db<Breaker[]>`
    update breakers
    set state = 'closed', failure_count = 0, consecutive_opens = 0, cooldown_until = null, probe_until = null,
        updated_at = ${now}
    where kind = ${kind} and key = ${key}
    returning ${breakerColumns(db)}`
  return row ?? null
}

export async function listBreakers(
  db: Db,
  filter: { kind?: BreakerKind; state?: BreakerState },
  page: { limit: number; offset: number },
): Promise<{ breakers: Breaker[]; total: number }> {
  const where = db`
    ${filter.kind === undefined ? db`true` : db`kind = ${filter.kind}`}
    and ${filter.state === undefined ? db`true` : db`state = ${filter.state}`}`
  const [breakers, counted] = await Promise.all([
    db<Breaker[]>`
      select ${breakerColumns(db)},
        (select s.name from sources s where s.id = case when breakers.kind = 'source' then breakers.key::uuid end) as name
      from breakers where ${where}
      order by updated_at desc, kind, key limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from breakers where ${where}`,
  ])
  return { breakers, total: counted[0]?.total ?? 0 }
}

export async function getBreaker(db: Db, kind: BreakerKind, key: string): Promise<Breaker | null> {
  const [row] = await db<Breaker[]>`
    select ${breakerColumns(db)} from breakers where kind = ${kind} and key = ${key}`
  return row ?? null
}

/** The circuits a source depends on: its own and that of its host. */
export async function breakersOfSource(
  db: Db,
  source: { id: string; host_key: string },
): Promise<Breaker[]> {
  return db<Breaker[]>`
    select ${breakerColumns(db)} from breakers
    where (kind = 'source' and key = ${source.id}) or (kind = 'host' and key = ${source.host_key})
    order by kind desc`
}

async function close(db: Db, outcomes: readonly BreakerOutcome[], now: Date): Promise<void> {
  if (outcomes.length === 0) return
  await db`
    update breakers b
    set state = 'closed', failure_count = 0, consecutive_opens = 0, cooldown_until = null, probe_until = null,
        updated_at = ${now}
    from jsonb_to_recordset(${db.json(outcomes.map(toRow))}) as o (kind text, key text)
    where b.kind = o.kind and b.key = o.key and (b.state <> 'closed' or b.failure_count > 0)`
}

async function countFailures(
  db: Db,
  outcomes: readonly BreakerOutcome[],
  now: Date,
  rules: BreakerRules,
): Promise<Breaker[]> {
  if (outcomes.length === 0) return []
  const rows = await db<(Breaker & { justOpened: boolean })[]>`
    insert into breakers as b (kind, key, state, failure_count, last_failure_at, last_error, updated_at,
      consecutive_opens, opened_at, cooldown_until)
    select kind, key, case when weight >= ${rules.failures} then 'open' else 'closed' end, weight, ${now}, error, ${now},
      case when weight >= ${rules.failures} then 1 else 0 end,
      case when weight >= ${rules.failures} then ${now}::timestamptz end,
      case when weight >= ${rules.failures} then ${minutesAfter(now, rules.baseCooldownMinutes)}::timestamptz end
    from jsonb_to_recordset(${db.json(outcomes.map(toRow))}) as o (kind text, key text, error text, weight integer)
    on conflict (kind, key) do update set
      failure_count = b.failure_count + excluded.failure_count,
      last_failure_at = excluded.last_failure_at,
      last_error = excluded.last_error,
      updated_at = excluded.updated_at,
      state = case when ${opens(db, rules)} then 'open' else b.state end,
      opened_at = case when ${opens(db, rules)} then excluded.updated_at else b.opened_at end,
      probe_until = null,
      consecutive_opens = b.consecutive_opens + case when ${opens(db, rules)} then 1 else 0 end,
      cooldown_until = case when ${opens(db, rules)}
        then excluded.updated_at + make_interval(mins => least(${rules.maxCooldownMinutes},
          ${rules.baseCooldownMinutes} * 2 ^ least(b.consecutive_opens, 16))::integer)
        else b.cooldown_until end
    returning ${breakerColumns(db)}, state = 'open' and opened_at = ${now} as "justOpened"`
  return rows.filter((row) => row.justOpened)
}

function opens(db: Db, rules: BreakerRules) {
  return db`(b.state = 'half_open' or (b.state = 'closed' and b.failure_count + excluded.failure_count >= ${rules.failures}))`
}

function breakerColumns(db: Db) {
  return db`
    kind, key, state, failure_count as "failureCount", consecutive_opens as "consecutiveOpens",
    last_failure_at as "lastFailureAt", last_error as "lastError", opened_at as "openedAt",
    cooldown_until as "cooldownUntil"`
}

function toRow({ kind, key, error, weight }: BreakerOutcome) {
  return { kind, key, error: error ?? null, weight: weight ?? 1 }
}

/** One statement may touch a row once. */
function lastOfEach(outcomes: readonly BreakerOutcome[]): BreakerOutcome[] {
  return [
    ...new Map(outcomes.map((outcome) => [`${outcome.kind} ${outcome.key}`, outcome])).values(),
  ]
}

function minutesAfter(now: Date, minutes: number): Date {
  return new Date(now.getTime() + minutes * 60_000)
}

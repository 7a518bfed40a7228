import { transaction, type Sql, type Tx } from '../../db/pool.ts'
import { listen } from '../../db/listen.ts'
import type { Duty } from '../../db/leader.ts'
import { resolveRetried, writeDeadLetters, type NewDeadLetter } from '../../deadletters/store.ts'
import { backoffMs } from '../../kernel/backoff.ts'
import type { Clock } from '../../kernel/clock.ts'
import { codeOf, messageOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { startLoop } from '../../kernel/loop.ts'
import { counter, histogram, type Metrics } from '../../kernel/metrics.ts'

/** One piece of work of a stage, as claimed. */
export interface StageRow {
  id: string
  attempts: number
}

export interface Failure {
  id: string
  /** A short code for people and filters. */
  reason: string
  message: string
  stack?: string | null
  /** Trying again soon cannot help. */
  final: boolean
}

export interface StageResult {
  failures: Failure[]
  /** How the rest went, by name, for the metrics. */
  counts: Record<string, number>
}

/** A refine stage: rows are claimed, worked on and marked in one transaction, so a crash is a rollback. */
export interface Stage<Row extends StageRow> {
  name: string
  /** NOTIFY channel that says there is work. */
  channel: string | null
  batchSize: number
  /** Locks up to `limit` due rows, or the named ones. */
  claim(tx: Tx, wanted: { now: Date; limit: number; only?: readonly string[] }): Promise<Row[]>
  /** Does the work and marks the rows that went well. */
  work(tx: Tx, rows: readonly Row[], now: Date): Promise<StageResult>
  postpone(
    tx: Tx,
    rows: readonly { id: string; attempts: number; nextAttemptAt: Date; reason: string }[],
  ): Promise<void>
  bury(tx: Tx, rows: readonly { id: string; attempts: number; reason: string }[]): Promise<void>
  letter(row: Row, failure: Failure): NewDeadLetter
}

export interface StageDeps {
  sql: Sql
  clock: Clock
  log: Log
  metrics: Metrics
  maxAttempts?: number
  /** True while the stage has to rest: its circuit is open. */
  paused?: (stage: string) => Promise<boolean>
  /** Hears whether a round did anything useful. */
  report?: (stage: string, ok: boolean, error: string | null) => Promise<void>
}

const retry = { baseMs: 5_000, maxMs: 10 * 60_000, jitter: 0.2 }
const defaultMaxAttempts = 3
const pollMs = 2_000
const illFrom = 10

export async function startStage<Row extends StageRow>(
  stage: Stage<Row>,
  deps: StageDeps,
): Promise<Duty> {
  const loop = startLoop({
    name: `refine ${stage.name}`,
    everyMs: pollMs,
    log: deps.log,
    // A batch need not be full for more to wait: another loop may have held the rest.
    runOnce: async () => ((await runStageOnce(stage, deps)) > 0 ? 'again' : undefined),
  })
  const listener =
    stage.channel === null
      ? null
      : await listen(deps.sql, stage.channel, () => loop.wake(), deps.log)
  return {
    stop: async () => {
      await listener?.stop().catch(() => undefined)
      await loop.stop()
    },
  }
}

/** One batch; gives the number of rows it took. */
export async function runStageOnce<Row extends StageRow>(
  stage: Stage<Row>,
  deps: StageDeps,
): Promise<number> {
  if (deps.paused !== undefined && (await deps.paused(stage.name))) return 0
  const { taken, blamed, error } = await attempt(stage, deps, { limit: stage.batchSize })
  // A few bad items are their own fault; when none of many goes through, the stage itself is ill.
  const ill = taken >= illFrom && blamed === taken
  if (taken > 0) await deps.report?.(stage.name, !ill, ill ? error : null)
  return taken
}

interface Attempt {
  taken: number
  /** Rows whose single transaction failed. */
  blamed: number
  error: string | null
}

/**
 * Works on a batch. When the database refuses it as a whole, the halves are tried on their own until the row that
 * spoils it is found: one bad item never stops the others.
 */
async function attempt<Row extends StageRow>(
  stage: Stage<Row>,
  deps: StageDeps,
  wanted: { limit: number; only?: readonly string[] },
): Promise<Attempt> {
  const started = performance.now()
  let rows: Row[] = []
  try {
    const result = await transaction(deps.sql, async (tx) => {
      const now = deps.clock.now()
      rows = await stage.claim(tx, { now, ...wanted })
      if (rows.length === 0) return null
      const worked = await stage.work(tx, rows, now)
      await settle(tx, stage, rows, worked.failures, deps, now)
      return worked
    })
    if (result !== null) measure(stage.name, deps.metrics, result, performance.now() - started)
    return { taken: rows.length, blamed: 0, error: null }
  } catch (error) {
    if (rows.length === 0 || isOutage(error)) throw error
    const ids = rows.map((row) => row.id)
    if (ids.length === 1) {
      await blame(stage, deps, ids, error)
      return { taken: 1, blamed: 1, error: messageOf(error) }
    }
    deps.log.info(
      { stage: stage.name, items: ids.length, reason: messageOf(error) },
      'batch refused, trying its halves',
    )
    const middle = Math.ceil(ids.length / 2)
    const halves = [ids.slice(0, middle), ids.slice(middle)]
    let blamed = 0
    for (const half of halves)
      blamed += (await attempt(stage, deps, { limit: half.length, only: half })).blamed
    return { taken: ids.length, blamed, error: messageOf(error) }
  }
}

/** Counts the attempt of the one row that makes its batch fail. */
async function blame<Row extends StageRow>(
  stage: Stage<Row>,
  deps: StageDeps,
  ids: readonly string[],
  error: unknown,
): Promise<void> {
  const failure = failureOf(error)
  await transaction(deps.sql, async (tx) => {
    const now = deps.clock.now()
    const rows = await stage.claim(tx, { now, limit: ids.length, only: ids })
    const failures = rows.map((row) => ({ ...failure, id: row.id }))
    await settle(tx, stage, rows, failures, deps, now)
  })
  measure(stage.name, deps.metrics, { failures: [{ ...failure, id: ids[0] ?? '' }], counts: {} }, 0)
}

async function settle<Row extends StageRow>(
  tx: Tx,
  stage: Stage<Row>,
  rows: readonly Row[],
  failures: readonly Failure[],
  deps: StageDeps,
  now: Date,
): Promise<void> {
  const failed = new Map(failures.map((failure) => [failure.id, failure]))
  const well = rows.filter((row) => !failed.has(row.id)).map((row) => row.id)
  await resolveRetried(tx, stage.name, well, now)
  if (failed.size === 0) return
  const most = deps.maxAttempts ?? defaultMaxAttempts
  const buried: { row: Row; failure: Failure }[] = []
  const postponed: { id: string; attempts: number; nextAttemptAt: Date; reason: string }[] = []
  for (const row of rows) {
    const failure = failed.get(row.id)
    if (failure === undefined) continue
    const attempts = row.attempts + 1
    if (failure.final || attempts >= most) buried.push({ row, failure })
    else {
      const nextAttemptAt = new Date(now.getTime() + backoffMs(attempts, retry))
      postponed.push({ id: row.id, attempts, nextAttemptAt, reason: failure.reason })
    }
  }
  if (postponed.length > 0) await stage.postpone(tx, postponed)
  if (buried.length === 0) return
  await stage.bury(
    tx,
    buried.map(({ row, failure }) => ({
      id: row.id,
      attempts: row.attempts + 1,
      reason: failure.reason,
    })),
  )
  await writeDeadLetters(
    tx,
    buried.map(({ row, failure }) => stage.letter(row, failure)),
    now,
  )
}

export function failureOf(error: unknown): Omit<Failure, 'id'> {
  const code = codeOf(error)
  return {
    reason: code === null ? 'unexpected' : code.startsWith('23') ? 'constraint' : 'database',
    message: messageOf(error),
    stack: error instanceof Error ? (error.stack ?? null) : null,
    final: false,
  }
}

/** The database is away or busy: nobody's fault, so no attempt is counted and the loop waits. */
function isOutage(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  return /^(?:ECONN|CONNECT|EPIPE|ENOTFOUND|57P|08|53|40)/.test(code)
}

function measure(stage: string, metrics: Metrics, result: StageResult, ms: number): void {
  const items = counter(
    metrics,
    'millrace_refine_items_total',
    'Items a refine stage worked on, by outcome',
    ['stage', 'outcome'],
  )
  for (const [outcome, count] of Object.entries(result.counts)) items.inc({ stage, outcome }, count)
  for (const failure of result.failures) items.inc({ stage, outcome: failure.reason })
  if (ms > 0)
    histogram(
      metrics,
      'millrace_refine_batch_seconds',
      'Time of one batch of a refine stage',
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      ['stage'],
    ).observe({ stage }, ms / 1000)
}

import type { Db } from '../db/pool.ts'
import { channels, idsPayload } from './channels.ts'
import type { JsonObject } from './types.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export interface NewLogLine {
  at: Date
  level: LogLevel
  category: string
  message: string
  fields?: JsonObject
}

export interface LogLine {
  id: number
  runId: string
  at: Date
  level: LogLevel
  category: string
  message: string
  fields: JsonObject | null
}

export interface LogBatch {
  runId: string
  token: string
  lines: NewLogLine[]
}

/** More lines than this belong into the errors of the run, not into its log; the rest is only counted. */
export const maxLinesPerRun = 10_000
const maxMessageLength = 4_000

/**
 * Appends lines of several runs with one statement, fenced by their tokens. The row of each run is held while its
 * lines get their ids, so ids ascend in the order in which lines become visible.
 */
export async function appendLogs(db: Db, batches: readonly LogBatch[]): Promise<void> {
  const lines = batches.flatMap((batch) =>
    batch.lines.map((line, index) => ({
      run_id: batch.runId,
      n: index + 1,
      at: line.at.toISOString(),
      level: line.level,
      category: line.category,
      message: line.message.slice(0, maxMessageLength),
      fields: line.fields ?? null,
    })),
  )
  if (lines.length === 0) return
  const heads = batches.map(({ runId, token, lines: own }) => ({
    id: runId,
    token,
    n: own.length,
  }))
  await db`
    with heads as (
      select * from jsonb_to_recordset(${db.json(heads)}) as h (id uuid, token uuid, n integer)
    ),
    held as (
      select r.id, r.job_id, greatest(${maxLinesPerRun} - r.log_lines, 0) as room, h.n
      from runs r join heads h on r.id = h.id and r.lease_token = h.token
      where r.status = 'running'
      for update of r
    ),
    counted as (
      update runs r
      set log_lines = r.log_lines + least(h.n, h.room), log_dropped = r.log_dropped + greatest(h.n - h.room, 0)
      from held h where r.id = h.id
    ),
    written as (
      insert into run_logs (run_id, id, job_id, at, level, category, message, fields)
      select run_id, nextval('run_log_ids'), job_id, at, level, category, message, fields
      from (
        select l.*, h.job_id
        from held h join jsonb_to_recordset(${db.json(lines)}) as l (run_id uuid, n integer, at timestamptz,
          level text, category text, message text, fields jsonb) on l.run_id = h.id
        where l.n <= h.room
        order by l.run_id, l.n
      ) l
      returning 1
    )
    select pg_notify(${channels.logged}, ${idsPayload(batches.map((b) => b.runId))}) from written limit 1`
}

export interface LogFilter {
  runId?: string
  jobId?: string
  /** Only lines at least this severe. */
  level?: LogLevel
  category?: string
  afterId?: number
}

/** Lines in order, from `afterId` on. */
export async function readLogs(
  db: Db,
  filter: LogFilter,
  limit: number,
  offset = 0,
): Promise<LogLine[]> {
  return await db<LogLine[]>`
    select ${logColumns(db)} from run_logs
    where ${matching(db, filter)}
    order by id limit ${limit} offset ${offset}`
}

/** The newest lines, oldest first: where a reader starts who has seen none. */
export async function readLastLogs(db: Db, filter: LogFilter, limit: number): Promise<LogLine[]> {
  return await db<LogLine[]>`
    select * from (
      select ${logColumns(db)} from run_logs where ${matching(db, filter)} order by id desc limit ${limit}
    ) newest order by id`
}

export async function countLogs(db: Db, filter: LogFilter): Promise<number> {
  const [row] = await db<{ total: number }[]>`
    select count(*)::int as total from run_logs where ${matching(db, filter)}`
  return row?.total ?? 0
}

function logColumns(db: Db) {
  return db`id::float8 as id, run_id as "runId", at, level, category, message, fields`
}

function matching(db: Db, filter: LogFilter) {
  const levels =
    filter.level === undefined ? null : logLevels.slice(logLevels.indexOf(filter.level))
  return db`
    ${filter.runId === undefined ? db`true` : db`run_id = ${filter.runId}`}
    and ${filter.jobId === undefined ? db`true` : db`job_id = ${filter.jobId}`}
    and ${levels === null ? db`true` : db`level = any (${levels})`}
    and ${filter.category === undefined ? db`true` : db`category = ${filter.category}`}
    and ${filter.afterId === undefined ? db`true` : db`id > ${filter.afterId}`}`
}

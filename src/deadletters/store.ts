import type { Db, Tx } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'

export const deadLetterStatuses = ['pending', 'retrying', 'resolved', 'discarded'] as const
export type DeadLetterStatus = (typeof deadLetterStatuses)[number]

export interface NewDeadLetter {
  stage: string
  /** Which piece of work of the stage; an open letter about it is brought up to date instead of doubled. */
  subject: string
  jobId: string | null
  sourceId: string | null
  errorType: string
  errorMessage: string
  errorStack: string | null
  /** Everything needed to do it again. */
  payload: Record<string, unknown>
}

export interface DeadLetter extends NewDeadLetter {
  id: string
  sourceName: string | null
  retryCount: number
  maxRetries: number
  nextRetryAt: Date | null
  status: DeadLetterStatus
  resolvedAt: Date | null
  resolutionNotes: string | null
  createdAt: Date
}

export interface DeadLetterFilter {
  status?: DeadLetterStatus | undefined
  stage?: string | undefined
  errorType?: string | undefined
  sourceId?: string | undefined
}

/** Writes letters. A piece of work that fails again after a retry waits twice as long: 1 h × 2^n, three times. */
export async function writeDeadLetters(
  tx: Tx,
  letters: readonly NewDeadLetter[],
  now: Date,
): Promise<void> {
  if (letters.length === 0) return
  const rows = letters.map((letter) => ({
    id: newId(now.getTime()),
    job_id: letter.jobId,
    source_id: letter.sourceId,
    stage: letter.stage,
    subject: letter.subject,
    error_type: letter.errorType,
    error_message: letter.errorMessage.slice(0, 2000),
    error_stack: letter.errorStack?.slice(0, 8000) ?? null,
    payload: letter.payload,
  }))
  await tx`
    insert into dead_letters as d (id, job_id, source_id, stage, subject, error_type, error_message, error_stack, payload,
      next_retry_at, created_at, updated_at)
    select id, job_id, source_id, stage, subject, error_type, error_message, error_stack, payload,
      ${now}::timestamptz + interval '1 hour', ${now}, ${now}
    from jsonb_to_recordset(${tx.json(rows as never)}) as n(id uuid, job_id uuid, source_id uuid, stage text,
      subject text, error_type text, error_message text, error_stack text, payload jsonb)
    on conflict (stage, subject) where status in ('pending', 'retrying') do update set
      error_type = excluded.error_type, error_message = excluded.error_message, error_stack = excluded.error_stack,
      payload = excluded.payload, status = 'pending', updated_at = excluded.updated_at,
      next_retry_at = case when d.retry_count < d.max_retries
        then ${now}::timestamptz + interval '1 hour' * 2 ^ d.retry_count end`
}

/** The retried work succeeded. */
export async function resolveRetried(
  tx: Tx,
  stage: string,
  subjects: readonly string[],
  now: Date,
): Promise<void> {
  if (subjects.length === 0) return
  await tx`
    update dead_letters set status = 'resolved', resolved_at = ${now}, updated_at = ${now}
    where stage = ${stage} and status = 'retrying' and subject = any(${[...subjects]})`
}

/** The work succeeded after all, whoever did it: what is open about it is settled. */
export async function resolveSubjects(
  tx: Tx,
  stage: string,
  subjects: readonly string[],
  now: Date,
): Promise<void> {
  if (subjects.length === 0) return
  await tx`
    update dead_letters set status = 'resolved', resolved_at = ${now}, next_retry_at = null, updated_at = ${now}
    where stage = ${stage} and status in ('pending', 'retrying') and subject = any(${[...subjects]})`
}

/** Takes letters whose time has come; the caller puts the work back into its stage in the same transaction. */
export async function takeDue(
  tx: Tx,
  stages: readonly string[],
  now: Date,
  limit: number,
): Promise<DeadLetter[]> {
  return tx<DeadLetter[]>`
    update dead_letters d set status = 'retrying', retry_count = retry_count + 1, updated_at = ${now}
    where id in (select id from dead_letters where status = 'pending' and next_retry_at <= ${now}
      and stage = any(${[...stages]}) order by next_retry_at limit ${limit} for update skip locked)
    returning ${columns(tx)}`
}

/** Takes letters an operator names, by id or by filter; an empty filter matches nothing. Other stages stay pending. */
export async function takeChosen(
  tx: Tx,
  stages: readonly string[],
  chosen: { ids: readonly string[] } | { filter: DeadLetterFilter; limit: number },
  now: Date,
): Promise<DeadLetter[]> {
  const which =
    'ids' in chosen
      ? tx`id = any(${[...chosen.ids]}::uuid[])`
      : tx`id in (select id from dead_letters where ${matches(tx, chosen.filter)} and status = 'pending'
          and stage = any(${[...stages]}) order by created_at, id limit ${chosen.limit} for update skip locked)`
  return tx<DeadLetter[]>`
    update dead_letters d set status = 'retrying', retry_count = retry_count + 1, updated_at = ${now}
    where status = 'pending' and stage = any(${[...stages]}) and ${which}
    returning ${columns(tx)}`
}

/** Open letters of a kind that no helper has looked at yet. */
export async function takeUnasked(
  db: Db,
  stage: string,
  errorType: string,
  limit: number,
): Promise<DeadLetter[]> {
  return db<DeadLetter[]>`
    select ${columns(db)} from dead_letters d
    where status = 'pending' and stage = ${stage} and error_type = ${errorType} and payload->>'ai_asked' is null
    order by created_at desc limit ${limit}`
}

export async function setPayloads(
  tx: Tx,
  letters: readonly { id: string; payload: Record<string, unknown> }[],
): Promise<void> {
  await tx`
    update dead_letters d set payload = p.payload
    from jsonb_to_recordset(${tx.json(letters as never)}) as p(id uuid, payload jsonb) where d.id = p.id`
}

export async function discardDeadLetter(
  db: Db,
  id: string,
  note: string | null,
  now: Date,
): Promise<DeadLetter | null> {
  const [row] = await db<DeadLetter[]>`
    update dead_letters d
    set status = 'discarded', resolved_at = ${now}, resolution_notes = ${note}, next_retry_at = null, updated_at = ${now}
    where id = ${id} and status in ('pending', 'retrying')
    returning ${columns(db)}`
  return row ?? null
}

export async function getDeadLetter(db: Db, id: string): Promise<DeadLetter | null> {
  const [row] = await db<DeadLetter[]>`select ${columns(db)} from dead_letters d where id = ${id}`
  return row ?? null
}

export async function listDeadLetters(
  db: Db,
  filter: DeadLetterFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: DeadLetter[]; total: number }> {
  const where = db`${filter.status === undefined ? db`true` : db`status = ${filter.status}`} and ${narrow(db, filter)}`
  const [rows, counted] = await Promise.all([
    db<DeadLetter[]>`
      select ${columns(db)} from dead_letters d where ${where}
      order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`select count(*)::int as total from dead_letters d where ${where}`,
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

/** Open letters by stage and reason, for the dashboard and the alerts. */
export async function countDeadLetters(
  db: Db,
): Promise<{ stage: string; errorType: string; count: number }[]> {
  return db<{ stage: string; errorType: string; count: number }[]>`
    select stage, error_type as "errorType", count(*)::int as count from dead_letters
    where status = 'pending' group by stage, error_type order by count(*) desc, stage, error_type`
}

function matches(db: Db, filter: DeadLetterFilter) {
  const named = filter.stage ?? filter.errorType ?? filter.sourceId
  return named === undefined ? db`false` : narrow(db, filter)
}

function narrow(db: Db, filter: DeadLetterFilter) {
  return db`
    ${filter.stage === undefined ? db`true` : db`stage = ${filter.stage}`}
    and ${filter.errorType === undefined ? db`true` : db`error_type = ${filter.errorType}`}
    and ${filter.sourceId === undefined ? db`true` : db`source_id = ${filter.sourceId}`}`
}

function columns(db: Db) {
  return db`
    d.id, d.job_id as "jobId", d.source_id as "sourceId",
    (select name from sources s where s.id = d.source_id) as "sourceName", d.stage, d.subject,
    d.error_type as "errorType", d.error_message as "errorMessage", d.error_stack as "errorStack", d.payload,
    d.retry_count as "retryCount", d.max_retries as "maxRetries", d.next_retry_at as "nextRetryAt", d.status,
    d.resolved_at as "resolvedAt", d.resolution_notes as "resolutionNotes", d.created_at as "createdAt"`
}

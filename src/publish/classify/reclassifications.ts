import { z } from 'zod'
import type { Db, Tx } from '../../db/pool.ts'
import { newId } from '../../kernel/ids.ts'

/** Which items to classify again; naming nothing means all of them. */
export const reclassifyFilter = z.strictObject({
  item_id: z.uuid().optional(),
  source_id: z.uuid().optional(),
  kind: z.enum(['article', 'calendar_event']).optional(),
  topic: z.string().min(1).max(200).optional(),
  content_type: z.string().min(1).max(50).optional(),
  language: z.string().min(1).max(20).optional(),
  max_quality: z.number().int().min(0).max(100).optional(),
  /** Only those another rule set has classified. */
  outdated_only: z.boolean().optional(),
  classified_before: z.iso.datetime().optional(),
})
export type ReclassifyFilter = z.infer<typeof reclassifyFilter>

export interface Reclassification {
  id: string
  filter: ReclassifyFilter
  status: 'running' | 'completed' | 'cancelled'
  total: number
  done: number
  changed: number
  position: string
  modelVersion: string | null
  requestedBy: string | null
  createdAt: Date
  finishedAt: Date | null
}

export async function startReclassification(
  db: Db,
  filter: ReclassifyFilter,
  modelVersion: string,
  requestedBy: string | null,
  now: Date,
): Promise<Reclassification | null> {
  const [row] = await db<Reclassification[]>`
    insert into reclassifications (id, filter, total, model_version, requested_by, created_at, next_batch_at)
    select ${newId()}, ${db.json(filter)}, (select count(*)::int from item_classifications c
      where ${matching(db, filter, modelVersion)}), ${modelVersion}, ${requestedBy}, ${now}, ${now}
    returning ${columns(db)}`
  return row ?? null
}

export async function listReclassifications(db: Db, limit: number): Promise<Reclassification[]> {
  return db<Reclassification[]>`
    select ${columns(db)} from reclassifications order by created_at desc limit ${limit}`
}

export async function findReclassification(db: Db, id: string): Promise<Reclassification | null> {
  const [row] = await db<Reclassification[]>`
    select ${columns(db)} from reclassifications where id = ${id}`
  return row ?? null
}

export async function cancelReclassification(db: Db, id: string, now: Date): Promise<boolean> {
  const rows = await db`
    update reclassifications set status = 'cancelled', finished_at = ${now}
    where id = ${id} and status = 'running' returning 1`
  return rows.length > 0
}

/** The oldest one that is due and that nobody works on; locked until the batch is committed. */
export async function claimReclassification(tx: Tx, now: Date): Promise<Reclassification | null> {
  const [row] = await tx<Reclassification[]>`
    select ${columns(tx)} from reclassifications where status = 'running' and next_batch_at <= ${now}
    order by created_at limit 1 for update skip locked`
  return row ?? null
}

export async function nextItems(tx: Tx, one: Reclassification, limit: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select c.item_id as id from item_classifications c
    where c.item_id > ${one.position} and ${matching(tx, one.filter, one.modelVersion ?? '')}
    order by c.item_id limit ${limit}`
  return rows.map((row) => row.id)
}

export async function advanceReclassification(
  tx: Tx,
  id: string,
  step: {
    done: number
    changed: number
    position: string | null
    finished: boolean
    now: Date
    nextBatchAt: Date
  },
): Promise<void> {
  await tx`
    update reclassifications set done = done + ${step.done}, changed = changed + ${step.changed},
      position = coalesce(${step.position}, position), next_batch_at = ${step.nextBatchAt},
      status = case when ${step.finished} then 'completed' else status end,
      finished_at = case when ${step.finished} then ${step.now}::timestamptz end
    where id = ${id}`
}

function matching(db: Db, filter: ReclassifyFilter, modelVersion: string) {
  const at = filter.classified_before ?? null
  return db`
    not c.gone
    and (${filter.item_id ?? null}::uuid is null or c.item_id = ${filter.item_id ?? null})
    and (${filter.source_id ?? null}::uuid is null or c.source_id = ${filter.source_id ?? null})
    and (${filter.kind ?? null}::text is null or c.kind = ${filter.kind ?? null})
    and (${filter.topic ?? null}::text is null or ${filter.topic ?? null} = any(c.topics))
    and (${filter.content_type ?? null}::text is null or c.content_type = ${filter.content_type ?? null})
    and (${filter.language ?? null}::text is null or c.language = ${filter.language ?? null})
    and (${filter.max_quality ?? null}::integer is null or c.quality_score <= ${filter.max_quality ?? null})
    and (${filter.outdated_only ?? false} = false or c.model_version <> ${modelVersion})
    and (${at}::timestamptz is null or c.classified_at < ${at}::timestamptz)`
}

function columns(db: Db) {
  return db`
    id, filter, status, total, done, changed, position, model_version as "modelVersion",
    requested_by as "requestedBy", created_at as "createdAt", finished_at as "finishedAt"`
}

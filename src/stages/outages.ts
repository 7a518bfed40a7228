import type { Db } from '../db/pool.ts'

/** A time in which gaps are to be expected. */
export interface StageOutage {
  id: string
  /** Null: all stages. */
  stage: number | null
  reason: string
  began_at: Date
  /** Null: it goes on. */
  ended_at: Date | null
}

export type NewOutage = Omit<StageOutage, 'id'>

export async function insertOutage(db: Db, outage: NewOutage): Promise<StageOutage> {
  const [row] = await db<StageOutage[]>`
    insert into stage_outages (stage, reason, began_at, ended_at)
    values (${outage.stage}, ${outage.reason}, ${outage.began_at}, ${outage.ended_at})
    returning id, stage::int, reason, began_at, ended_at`
  if (row === undefined) throw new Error('the outage was not stored')
  return row
}

/** Null when there is none, or when it would end before it began. */
export async function endOutage(db: Db, id: string, endedAt: Date): Promise<StageOutage | null> {
  const [row] = await db<StageOutage[]>`
    update stage_outages set ended_at = ${endedAt} where id = ${id} and began_at < ${endedAt}
    returning id, stage::int, reason, began_at, ended_at`
  return row ?? null
}

export async function findOutage(db: Db, id: string): Promise<StageOutage | null> {
  const [row] = await db<StageOutage[]>`
    select id, stage::int, reason, began_at, ended_at from stage_outages where id = ${id}`
  return row ?? null
}

export async function deleteOutage(db: Db, id: string): Promise<boolean> {
  return (await db`delete from stage_outages where id = ${id}`).count > 0
}

export async function listOutages(
  db: Db,
  page: { limit: number; offset: number },
): Promise<{ outages: StageOutage[]; total: number }> {
  const outages = await db<StageOutage[]>`
    select id, stage::int, reason, began_at, ended_at from stage_outages
    order by began_at desc, id desc limit ${page.limit} offset ${page.offset}`
  const [row] = await db<{ total: number }[]>`select count(*)::int as total from stage_outages`
  return { outages, total: row?.total ?? 0 }
}

import { transaction, type Db, type Sql } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import { effectiveConfig } from './effective.ts'
import { inheritableNames, type GroupSettings } from './fields.ts'
import { writeSourceEvents, type NewSourceEvent } from './outbox.ts'
import type { Source } from './source.ts'

export interface SourceGroup {
  id: string
  name: string
  settings: GroupSettings
  version: number
  created_at: Date
  updated_at: Date
  source_count: number
}

export async function listGroups(db: Db): Promise<SourceGroup[]> {
  return db<SourceGroup[]>`
    select g.*, (select count(*)::int from sources s where s.group_id = g.id) as source_count
    from source_groups g order by lower(g.name)`
}

export async function findGroup(db: Db, id: string): Promise<SourceGroup | null> {
  const [row] = await db<SourceGroup[]>`
    select g.*, (select count(*)::int from sources s where s.group_id = g.id) as source_count
    from source_groups g where g.id = ${id}`
  return row ?? null
}

/** Null when the name is taken. */
export async function createGroup(
  db: Db,
  name: string,
  settings: GroupSettings,
): Promise<SourceGroup | null> {
  const [row] = await db<SourceGroup[]>`
    insert into source_groups (id, name, settings) values (${newId()}, ${name}, ${db.json(settings)})
    on conflict do nothing returning *, 0 as source_count`
  return row ?? null
}

// A group is locked weakly and before its sources: a source that joins it needs its key meanwhile, and would
// otherwise wait for us while we wait for it.

/** New settings of a group are a change of every source that inherits them, and each is told so by an event. */
export async function changeGroup(
  sql: Sql,
  id: string,
  change: { name?: string | undefined; settings?: GroupSettings | undefined },
  now: Date,
): Promise<SourceGroup | null> {
  return transaction(sql, async (tx) => {
    const [before] = await tx<
      SourceGroup[]
    >`select * from source_groups where id = ${id} for no key update`
    if (before === undefined) return null
    const settings = change.settings ?? before.settings
    await tx`
      update source_groups set name = ${change.name ?? before.name}, settings = ${tx.json(settings)},
        version = version + 1, updated_at = ${now}
      where id = ${id}`
    const members = await tx<
      Source[]
    >`select * from sources where group_id = ${id} order by id for update`
    await writeSourceEvents(
      tx,
      members.flatMap((source) => inheritedChange(source, before.settings, settings)),
      now,
    )
    return findGroup(tx, id)
  })
}

/** Its sources stay, without a group. */
export async function deleteGroup(sql: Sql, id: string, now: Date): Promise<boolean> {
  return transaction(sql, async (tx) => {
    const [group] = await tx<
      SourceGroup[]
    >`select * from source_groups where id = ${id} for no key update`
    if (group === undefined) return false
    const members = await tx<
      Source[]
    >`select * from sources where group_id = ${id} order by id for update`
    await writeSourceEvents(
      tx,
      members.flatMap((source) => inheritedChange(source, group.settings, {})),
      now,
    )
    await tx`delete from source_groups where id = ${id}`
    return true
  })
}

function inheritedChange(
  source: Source,
  before: GroupSettings,
  after: GroupSettings,
): NewSourceEvent[] {
  const was = effectiveConfig(source, before)
  const is = effectiveConfig(source, after)
  const changed = inheritableNames.filter(
    (field) => JSON.stringify(was[field].value) !== JSON.stringify(is[field].value),
  )
  if (changed.length === 0) return []
  const pick = (config: typeof was): Record<string, unknown> =>
    Object.fromEntries(changed.map((field) => [field, config[field].value]))
  return [
    {
      type: 'SOURCE_UPDATED',
      sourceId: source.id,
      payload: { changed_fields: changed, previous: pick(was), current: pick(is), inherited: true },
    },
  ]
}

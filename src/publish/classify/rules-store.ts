import type { Db } from '../../db/pool.ts'
import { newId } from '../../kernel/ids.ts'
import type { Keyword, TopicRule } from './topics.ts'

export interface StoredRule extends TopicRule {
  version: number
  createdAt: Date
  updatedAt: Date
}

export type RuleFields = Omit<TopicRule, 'id'>

export async function listRules(db: Db): Promise<StoredRule[]> {
  return db<
    StoredRule[]
  >`select ${columns(db)} from topic_rules order by priority desc, lower(name)`
}

export async function findRule(db: Db, id: string): Promise<StoredRule | null> {
  const [row] = await db<StoredRule[]>`select ${columns(db)} from topic_rules where id = ${id}`
  return row ?? null
}

export async function insertRule(
  db: Db,
  fields: RuleFields,
  now: Date,
): Promise<StoredRule | null> {
  const [row] = await db<StoredRule[]>`
    insert into topic_rules (id, name, topic, keywords, priority, min_confidence, languages, enabled, created_at, updated_at)
    values (${newId()}, ${fields.name}, ${fields.topic}, ${json(db, fields.keywords)}, ${fields.priority},
      ${fields.minConfidence}, ${fields.languages}, ${fields.enabled}, ${now}, ${now})
    on conflict do nothing returning ${columns(db)}`
  return row ?? null
}

export async function replaceRule(
  db: Db,
  id: string,
  fields: RuleFields,
  now: Date,
): Promise<StoredRule | null> {
  const [row] = await db<StoredRule[]>`
    update topic_rules set name = ${fields.name}, topic = ${fields.topic}, keywords = ${json(db, fields.keywords)},
      priority = ${fields.priority}, min_confidence = ${fields.minConfidence}, languages = ${fields.languages},
      enabled = ${fields.enabled}, version = version + 1, updated_at = ${now}
    where id = ${id} returning ${columns(db)}`
  return row ?? null
}

export async function deleteRule(db: Db, id: string): Promise<boolean> {
  return (await db`delete from topic_rules where id = ${id} returning 1`).length > 0
}

function columns(db: Db) {
  return db`
    id, name, topic, keywords, priority, min_confidence::float8 as "minConfidence", languages, enabled, version,
    created_at as "createdAt", updated_at as "updatedAt"`
}

function json(db: Db, keywords: readonly Keyword[]) {
  return db.json(keywords as never)
}

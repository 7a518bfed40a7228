import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import type { RoleName } from './caller.ts'

export const apiKeyPrefix = 'mr_'

export interface ApiKey {
  id: string
  name: string
  prefix: string
  role: RoleName
  scopes: string[]
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
  dailyQuota: number | null
  usedToday: number
}

interface ApiKeyRow {
  id: string
  name: string
  prefix: string
  role: RoleName
  scopes: string[]
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
  revoked_at: Date | null
  daily_quota: number | null
  used_today: number
}

/** The key itself is returned once and never stored. */
export async function createApiKey(
  db: Db,
  key: {
    name: string
    role: RoleName
    scopes: string[]
    dailyQuota: number | null
    expiresAt: Date | null
    createdBy: string | null
  },
): Promise<{ key: string; record: ApiKey }> {
  const secret = apiKeyPrefix + randomBytes(24).toString('base64url')
  const [row] = await db<ApiKeyRow[]>`
    insert into api_keys (id, name, prefix, key_hash, role, scopes, daily_quota, expires_at, created_by)
    values (${newId()}, ${key.name}, ${secret.slice(0, 8)}, ${hashKey(secret)}, ${key.role}, ${key.scopes},
            ${key.dailyQuota}, ${key.expiresAt}, ${key.createdBy})
    returning *, 0 as used_today`
  if (row === undefined) throw new Error('the key was not stored')
  return { key: secret, record: toApiKey(row) }
}

export async function listApiKeys(
  db: Db,
  page: { limit: number; offset: number },
): Promise<{ keys: ApiKey[]; total: number }> {
  const rows = await db<(ApiKeyRow & { total: number })[]>`
    select *, case when quota_day = (now() at time zone 'utc')::date then quota_used else 0 end as used_today,
      count(*) over ()::int as total
    from api_keys order by created_at desc, id limit ${page.limit} offset ${page.offset}`
  return { keys: rows.map(toApiKey), total: rows[0]?.total ?? 0 }
}

export async function revokeApiKey(db: Db, id: string): Promise<boolean> {
  const rows = await db`
    update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ${id} returning id`
  return rows.length > 0
}

export interface KeyUse {
  key: ApiKey
  overQuota: boolean
}

/** Checks a presented key and counts its use in the same statement, so that parallel requests cannot share a quota. */
export async function useApiKey(db: Db, presented: string): Promise<KeyUse | null> {
  const [row] = await db<ApiKeyRow[]>`
    update api_keys set
      last_used_at = now(),
      quota_used = case when quota_day = (now() at time zone 'utc')::date then quota_used + 1 else 1 end,
      quota_day = (now() at time zone 'utc')::date
    where key_hash = ${hashKey(presented)} and revoked_at is null and (expires_at is null or expires_at > now())
    returning *, quota_used as used_today`
  if (row === undefined) return null
  const key = toApiKey(row)
  return { key, overQuota: key.dailyQuota !== null && key.usedToday > key.dailyQuota }
}

function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    role: row.role,
    scopes: row.scopes,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    dailyQuota: row.daily_quota,
    usedToday: row.used_today,
  }
}

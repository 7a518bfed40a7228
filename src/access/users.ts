import { createHash, randomBytes } from 'node:crypto'
import type { Db, Sql } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import type { RoleName } from './caller.ts'

export interface User {
  id: string
  email: string
  role: RoleName
  passwordHash: string | null
  sessionVersion: number
  createdAt: Date
  lastLoginAt: Date | null
}

interface UserRow {
  id: string
  email: string
  role: RoleName
  password_hash: string | null
  session_version: number
  created_at: Date
  last_login_at: Date | null
}

export async function findUser(db: Db, id: string): Promise<User | null> {
  const [row] = await db<UserRow[]>`select * from users where id = ${id}`
  return row === undefined ? null : toUser(row)
}

export async function findUserByEmail(db: Db, email: string): Promise<User | null> {
  const [row] = await db<UserRow[]>`select * from users where lower(email) = lower(${email})`
  return row === undefined ? null : toUser(row)
}

export async function listUsers(db: Db): Promise<User[]> {
  const rows = await db<UserRow[]>`select * from users order by lower(email)`
  return rows.map(toUser)
}

/** Null when the email is taken. */
export async function createUser(
  db: Db,
  user: { email: string; role: RoleName; passwordHash: string | null },
): Promise<User | null> {
  const [row] = await db<UserRow[]>`
    insert into users (id, email, role, password_hash)
    values (${newId()}, ${user.email}, ${user.role}, ${user.passwordHash})
    on conflict do nothing
    returning *`
  return row === undefined ? null : toUser(row)
}

/** A new role or password ends the user's sessions. */
export async function changeUser(
  db: Db,
  id: string,
  change: { role?: RoleName | undefined; passwordHash?: string | undefined },
): Promise<User | null> {
  const [row] = await db<UserRow[]>`
    update users set
      role = coalesce(${change.role ?? null}, role),
      password_hash = coalesce(${change.passwordHash ?? null}, password_hash),
      session_version = session_version + 1,
      updated_at = now()
    where id = ${id}
    returning *`
  return row === undefined ? null : toUser(row)
}

/** Refuses to remove the last admin, which would lock everybody out. */
export async function deleteUser(
  db: Db,
  id: string,
): Promise<'deleted' | 'last_admin' | 'missing'> {
  const [row] = await db<{ found: boolean; deleted: boolean }[]>`
    with target as (select id, role from users where id = ${id} for update),
    gone as (
      delete from users using target
      where users.id = target.id
        and (target.role <> 'admin' or exists (select 1 from users u where u.role = 'admin' and u.id <> target.id))
      returning users.id)
    select exists (select 1 from target) as found, exists (select 1 from gone) as deleted`
  if (row?.deleted) return 'deleted'
  return row?.found ? 'last_admin' : 'missing'
}

export async function markLogin(db: Db, id: string): Promise<void> {
  await db`update users set last_login_at = now() where id = ${id}`
}

/** Ends every session of the user, on every device. */
export async function endSessions(db: Db, id: string): Promise<void> {
  await db`update users set session_version = session_version + 1 where id = ${id}`
}

/** Makes sure somebody can log in: creates the first admin in an empty installation. */
export async function ensureAdmin(
  sql: Sql,
  email: string,
  passwordHash: string | null,
): Promise<User> {
  const [existing] = await sql<
    UserRow[]
  >`select * from users where role = 'admin' order by created_at limit 1`
  if (existing !== undefined) return toUser(existing)
  const created = await createUser(sql, { email, role: 'admin', passwordHash })
  if (created !== null) return created
  // Another process created it between the two statements.
  return ensureAdmin(sql, email, passwordHash)
}

/** A link that logs its holder in once. Only its hash is stored. */
export async function createLoginLink(db: Db, userId: string, validMs: number): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await db`
    insert into login_links (token_hash, user_id, expires_at)
    values (${hashToken(token)}, ${userId}, now() + ${validMs} * interval '1 millisecond')`
  return token
}

export async function useLoginLink(db: Db, token: string): Promise<User | null> {
  const [row] = await db<UserRow[]>`
    with used as (
      update login_links set used_at = now()
      where token_hash = ${hashToken(token)} and used_at is null and expires_at > now()
      returning user_id)
    select users.* from users join used on users.id = used.user_id`
  return row === undefined ? null : toUser(row)
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    passwordHash: row.password_hash,
    sessionVersion: row.session_version,
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at,
  }
}

import type { Sql } from '../../src/db/pool.ts'

/** Fills the store up to about `total` items with copies of what is kept: other titles, other days, own keys. */
export async function multiply(pool: Sql, total: number): Promise<void> {
  const sql = await pool.reserve()
  try {
    await fill(sql, total)
  } finally {
    sql.release()
  }
}

async function fill(sql: Sql, total: number): Promise<void> {
  const [kept] = await sql<{ events: number; articles: number }[]>`
    select (select count(*) from calendar_events)::int as events, (select count(*) from articles)::int as articles`
  const times = Math.floor(total / ((kept?.events ?? 0) + (kept?.articles ?? 0))) - 1
  if (times < 1) return
  const [events, articles] = [await columns(sql, 'calendar_events'), await columns(sql, 'articles')]
  // Built once at the end, in a fraction of the time; and nothing here has to survive a crash.
  const indexes = await secondaryIndexes(sql)
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  for (const setting of ['statement_timeout = 0', 'synchronous_commit = off'])
    await sql.unsafe(`set ${setting}`)
  await sql.unsafe(`set maintenance_work_mem = '512MB'`)
  // One connection: the temporary tables and the settings belong to it.
  await sql`create temp table base_events as select * from calendar_events`
  await sql`create temp table base_articles as select * from articles`
  await sql`create temp table base_keys as select * from dedup_keys`
  for (let n = 1; n <= times; n++) {
    await copy(sql, 'calendar_events', 'base_events', events, n)
    await copy(sql, 'articles', 'base_articles', articles, n)
    await copy(sql, 'dedup_keys', 'base_keys', ['day', 'key', 'item_id'], n)
  }
  for (const { definition } of indexes) await sql.unsafe(definition)
  await sql`vacuum analyze`
  await sql`checkpoint`
}

/** Those that hold no promise: everything but primary keys and unique ones. */
async function secondaryIndexes(sql: Sql): Promise<{ name: string; definition: string }[]> {
  return sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in ('calendar_events'::regclass, 'articles'::regclass, 'dedup_keys'::regclass) and not indisunique`
}

/** What differs in the n-th copy; everything else stays. */
function copied(name: string, n: number): string {
  const changes: Record<string, string> = {
    id: `overlay(id::text placing lpad(to_hex(${n}), 4, '0') from 20 for 4)::uuid`,
    item_id: `overlay(item_id::text placing lpad(to_hex(${n}), 4, '0') from 20 for 4)::uuid`,
    event_fingerprint: `sha256(event_fingerprint || '\\x${n.toString(16).padStart(4, '0')}'::bytea)`,
    url_hash: `sha256(url_hash || '\\x${n.toString(16).padStart(4, '0')}'::bytea)`,
    event_date: `event_date + ${n % 300}`,
    starts_at: `starts_at + ${n % 300} * interval '1 day'`,
    key: `key + ${n}`,
    day: `case when day = 0 then 0 else day + ${n % 300} end`,
  }
  return changes[name] ?? name
}

async function copy(
  sql: Sql,
  table: string,
  base: string,
  names: readonly string[],
  n: number,
): Promise<void> {
  const values = names.map((name) => copied(name, n)).join(', ')
  await sql.unsafe(`insert into ${table} (${names.join(', ')}) select ${values} from ${base}`)
}

async function columns(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`
  return rows.map((row) => row.name)
}

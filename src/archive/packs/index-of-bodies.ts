import type { Db, Tx } from '../../db/pool.ts'
import { Permanent } from '../../kernel/errors.ts'
import type { KeptBody } from './record.ts'

/**
 * Called in the transaction that records the pages of these bodies: what is not committed are dead bytes in a pack.
 * The newest place of a body wins, so that a lost pack heals by being fetched again.
 */
export async function keepBodies(tx: Tx, kept: readonly KeptBody[]): Promise<void> {
  if (kept.length === 0) return
  const bodies = [...new Map(kept.map((body) => [body.hash, body])).values()]
  await tx`
    insert into archive_bodies as b (hash, pack, at, length)
    select decode(hash, 'hex'), pack, at, length
    from unnest(${bodies.map((body) => body.hash)}::text[], ${bodies.map((body) => body.pack)}::uuid[],
      ${bodies.map((body) => body.at)}::int[], ${bodies.map((body) => body.length)}::int[]) as n(hash, pack, at, length)
    order by 1
    on conflict (hash) do update set pack = excluded.pack, at = excluded.at, length = excluded.length`
}

/** Bodies without a place, or with one in a pack that is not `there`, get theirs back; gives their hashes. */
export async function restoreBodies(
  tx: Tx,
  found: readonly KeptBody[],
  there: readonly string[],
): Promise<string[]> {
  const bodies = [...new Map(found.map((body) => [body.hash, body])).values()]
  const rows = await tx<{ hash: string }[]>`
    insert into archive_bodies as b (hash, pack, at, length)
    select decode(hash, 'hex'), pack, at, length
    from unnest(${bodies.map((body) => body.hash)}::text[], ${bodies.map((body) => body.pack)}::uuid[],
      ${bodies.map((body) => body.at)}::int[], ${bodies.map((body) => body.length)}::int[]) as n(hash, pack, at, length)
    order by 1
    on conflict (hash) do update set pack = excluded.pack, at = excluded.at, length = excluded.length
    where b.pack <> all(${[...there]}::uuid[])
    returning encode(hash, 'hex') as hash`
  return rows.map((row) => row.hash)
}

export async function findBody(db: Db, hash: string): Promise<KeptBody | null> {
  const [row] = await db<KeptBody[]>`
    select encode(hash, 'hex') as hash, pack, at, length from archive_bodies where hash = decode(${hash}, 'hex')`
  return row ?? null
}

/** Bodies that were kept anew in the meantime are in another place and stay. */
export async function forgetBodies(db: Db, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  await db`
    delete from archive_bodies b using archive_bodies seen
    where seen.hash in (select decode(hash, 'hex') from unnest(${[...hashes]}::text[]) as h(hash))
      and b.hash = seen.hash and b.pack = seen.pack and b.at = seen.at`
}

/** Bytes in use by pack; a pack that is not named has none. */
export async function liveBytes(db: Db, packs: readonly string[]): Promise<Map<string, number>> {
  const rows = await db<{ pack: string; bytes: number }[]>`
    select pack, sum(length)::float8 as bytes from archive_bodies
    where pack = any(${[...packs]}::uuid[]) group by pack`
  return new Map(rows.map((row) => [row.pack, row.bytes]))
}

export function bodiesOf(db: Db, packs: readonly string[]): Promise<KeptBody[]> {
  return db<KeptBody[]>`
    select encode(hash, 'hex') as hash, pack, at, length from archive_bodies
    where pack = any(${[...packs]}::uuid[]) order by pack, at`
}

/** Bodies that were kept anew or removed in the meantime are left alone. */
export async function moveBodies(
  tx: Tx,
  from: readonly KeptBody[],
  to: readonly KeptBody[],
): Promise<void> {
  const hashes = from.map((body) => body.hash)
  // In the order in which commits take them, so that nobody waits in a circle.
  await tx`
    select from archive_bodies where hash in (select decode(hash, 'hex') from unnest(${hashes}::text[]) as h(hash))
    order by hash for update`
  await tx`
    update archive_bodies b set pack = m.pack, at = m.at
    from unnest(${hashes}::text[], ${from.map((body) => body.pack)}::uuid[], ${from.map((body) => body.at)}::int[],
      ${to.map((body) => body.pack)}::uuid[], ${to.map((body) => body.at)}::int[]) as m(hash, old_pack, old_at, pack, at)
    where b.hash = decode(m.hash, 'hex') and b.pack = m.old_pack and b.at = m.old_at`
}

/** The folder of this database among those that share the data folder. */
export async function archiveHome(db: Db): Promise<string> {
  const [row] = await db<{ id: string }[]>`select id from archive_home`
  if (row === undefined) throw new Permanent('the table archive_home is empty')
  return row.id
}

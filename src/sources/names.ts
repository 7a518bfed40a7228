import type { Db } from '../db/pool.ts'

/** The names of sources by id; one that is gone has none. */
export async function namesOfSources(
  db: Db,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db<{ id: string; name: string }[]>`
    select id, name from sources where id = any (${wanted}::uuid[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

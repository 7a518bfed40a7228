import type { Db } from '../db/pool.ts'

export type Compiled = 'rules' | 'routes'

/** Told to whoever keeps rules or routes compiled; in the transaction of the change itself. */
export async function raiseVersion(db: Db, name: Compiled): Promise<void> {
  await db`update publish_versions set version = version + 1 where name = ${name}`
}

export async function readVersions(db: Db): Promise<Record<Compiled, string>> {
  const rows = await db<{ name: Compiled; version: string }[]>`
    select name, version from publish_versions`
  const of = (name: Compiled): string => rows.find((row) => row.name === name)?.version ?? '0'
  return { rules: of('rules'), routes: of('routes') }
}

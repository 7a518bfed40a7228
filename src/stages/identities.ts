import type { Tx } from '../db/pool.ts'
import type { StageSource } from './event.ts'

export interface Identities {
  service(name: string): number
  source(source: StageSource): number
  /** Of a model, topic or channel; 0 for none. */
  name(name: string | undefined): number
}

/**
 * Numbers for the texts of a batch. They are looked up each time: a number remembered from a transaction that rolled
 * back would be nobody's.
 */
export async function identify(
  tx: Tx,
  wanted: { services: Set<string>; sources: StageSource[]; names: Set<string> },
): Promise<Identities> {
  const sources = new Map(wanted.sources.map((source) => [sourceKey(source), source.name]))
  const services = [...wanted.services]
  const names = [...wanted.names]
  const known = await lookUp(tx, services, [...sources.keys()], names)
  if (known.size < services.length + sources.size + names.length || renamed(known, sources)) {
    await insertServices(tx, services.filter((name) => !known.has(`v${name}`)).sort())
    await insertNames(tx, names.filter((name) => !known.has(`n${name}`)).sort())
    await upsertSources(
      tx,
      [...sources]
        .filter(([key, name]) => known.get(`s${key}`)?.name !== name)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
    for (const [key, value] of await lookUp(tx, services, [...sources.keys()], names))
      known.set(key, value)
  }
  const numberOf = (key: string): number => {
    const found = known.get(key)
    if (found === undefined) throw new Error(`no number for ${key}`)
    return found.id
  }
  return {
    service: (name) => numberOf(`v${name}`),
    source: (source) => numberOf(`s${sourceKey(source)}`),
    name: (name) => (name === undefined ? 0 : numberOf(`n${name}`)),
  }
}

function sourceKey(source: StageSource): string {
  return source.id ?? source.name
}

type Known = Map<string, { id: number; name: string }>

function renamed(known: Known, sources: Map<string, string>): boolean {
  return [...sources].some(([key, name]) => known.get(`s${key}`)?.name !== name)
}

async function lookUp(
  tx: Tx,
  services: string[],
  sources: string[],
  names: string[],
): Promise<Known> {
  const rows = await tx<{ key: string; id: number; name: string }[]>`
    select 'v' || name as key, id, name from stage_services where name = any(${services}::text[])
    union all
    select 's' || key, id, name from stage_sources where key = any(${sources}::text[])
    union all
    select 'n' || name, id, name from stage_names where name = any(${names}::text[])`
  return new Map(rows.map((row) => [row.key, row]))
}

async function insertServices(tx: Tx, names: string[]): Promise<void> {
  if (names.length === 0) return
  await tx`
    insert into stage_services (name) select * from unnest(${names}::text[])
    on conflict do nothing`
}

async function insertNames(tx: Tx, names: string[]): Promise<void> {
  if (names.length === 0) return
  await tx`
    insert into stage_names (name) select * from unnest(${names}::text[]) on conflict do nothing`
}

async function upsertSources(tx: Tx, sources: [string, string][]): Promise<void> {
  if (sources.length === 0) return
  const keys = sources.map(([key]) => key)
  const names = sources.map(([, name]) => name)
  await tx`
    insert into stage_sources (key, name) select * from unnest(${keys}::text[], ${names}::text[])
    on conflict (key) do update set name = excluded.name where stage_sources.name <> excluded.name`
}

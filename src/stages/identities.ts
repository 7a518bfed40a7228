import type { Tx } from '../db/pool.ts'
import type { StageSource } from './event.ts'

export interface Identities {
  service(name: string): number
  source(source: StageSource): number
  /** Of a model, topic or channel; 0 for none. */
  name(name: string | undefined): number
}

/** Numbers of texts, by kind and text. */
export type Numbers = Map<string, { id: number; name: string }>

/**
 * Numbers for the texts of a batch. Only what is committed may be remembered for the next one: a number from a
 * transaction that rolled back would be nobody's. So what is looked up here goes to `learned`, and whoever commits
 * decides.
 */
export async function identify(
  tx: Tx,
  wanted: { services: Set<string>; sources: StageSource[]; names: Set<string> },
  { remembered, learned }: { remembered: Numbers; learned: Numbers },
): Promise<Identities> {
  const find = (key: string): { id: number; name: string } | undefined =>
    remembered.get(key) ?? learned.get(key)
  const sources = new Map(wanted.sources.map((source) => [sourceKey(source), source.name]))
  const unknown = {
    services: [...wanted.services].filter((name) => find(`v${name}`) === undefined),
    sources: [...sources].filter(([key, name]) => isNews(find(`s${key}`), name)),
    names: [...wanted.names].filter((name) => find(`n${name}`) === undefined),
  }
  await learn(tx, unknown, learned)
  const numberOf = (key: string): number => {
    const found = find(key)
    if (found === undefined) throw new Error(`no number for ${key}`)
    return found.id
  }
  return {
    service: (name) => numberOf(`v${name}`),
    source: (source) => numberOf(`s${sourceKey(source)}`),
    name: (name) => (name === undefined ? 0 : numberOf(`n${name}`)),
  }
}

interface Unknown {
  services: string[]
  /** Key and name. */
  sources: [string, string][]
  names: string[]
}

async function learn(tx: Tx, unknown: Unknown, learned: Numbers): Promise<void> {
  const { services, sources, names } = unknown
  if (services.length + sources.length + names.length === 0) return
  const lookUpAll = async (): Promise<void> => {
    const keys = sources.map(([key]) => key)
    for (const row of await lookUp(tx, services, keys, names)) learned.set(row.key, row)
  }
  await lookUpAll()
  const missing = {
    services: services.filter((name) => !learned.has(`v${name}`)).sort(),
    sources: sources
      .filter(([key, name]) => isNews(learned.get(`s${key}`), name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    names: names.filter((name) => !learned.has(`n${name}`)).sort(),
  }
  if (missing.services.length + missing.sources.length + missing.names.length === 0) return
  await insertServices(tx, missing.services)
  await insertNames(tx, missing.names)
  await upsertSources(tx, missing.sources)
  await lookUpAll()
}

function isNews(known: { name: string } | undefined, name: string): boolean {
  return known === undefined || (name !== '' && known.name !== name)
}

function sourceKey(source: StageSource): string {
  return source.id ?? source.name
}

async function lookUp(
  tx: Tx,
  services: string[],
  sources: string[],
  names: string[],
): Promise<{ key: string; id: number; name: string }[]> {
  return await tx<{ key: string; id: number; name: string }[]>`
    select 'v' || name as key, id, name from stage_services where name = any(${services}::text[])
    union all
    select 's' || key, id, name from stage_sources where key = any(${sources}::text[])
    union all
    select 'n' || name, id, name from stage_names where name = any(${names}::text[])`
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
  const names = sources.map(([key, name]) => (name === '' ? key : name))
  await tx`
    insert into stage_sources (key, name) select * from unnest(${keys}::text[], ${names}::text[])
    on conflict (key) do update set name = excluded.name where stage_sources.name <> excluded.name`
}

import { expect } from 'vitest'
import type { Sql } from '../../src/db/pool.ts'
import { idempotencyIdOf } from '../../src/publish/deliveries/message.ts'

export interface Heard {
  id: string
  itemId: string
  version: number
}

/**
 * Nothing lost, nothing else; per item the first time each version was heard is in order; what was heard twice carried
 * the same id both times.
 */
export async function expectExactly(
  sql: Sql,
  channelId: string,
  heard: readonly Heard[],
): Promise<void> {
  const rows = await sql<
    { routeId: string; routeVersion: number; itemId: string; itemVersion: number }[]
  >`
    select route_id as "routeId", route_version as "routeVersion", item_id as "itemId", item_version as "itemVersion"
    from deliveries where channel_id = ${channelId} order by id`
  const ids = rows.map(idempotencyIdOf)
  expect(new Set(ids).size).toBe(rows.length)
  expect([...new Set(heard.map((one) => one.id))].sort()).toEqual(ids.sort())
  const highest = new Map<string, number>()
  const seen = new Map<string, string>()
  for (const { id, itemId, version } of heard) {
    const what = `${itemId} ${version}`
    expect(seen.get(id) ?? what).toBe(what)
    if (seen.has(id)) continue
    seen.set(id, what)
    expect(version).toBeGreaterThan(highest.get(itemId) ?? 0)
    highest.set(itemId, version)
  }
}

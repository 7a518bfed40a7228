import type { Db } from '../../db/pool.ts'
import { addressOf } from '../../stages/event.ts'
import { itemAddress } from '../../stages/record.ts'

/**
 * The address under which each item was indexed: an item that shares its page with others has one of its own. The stage
 * events of one item must not be split over two addresses.
 */
export async function stageAddresses(
  db: Db,
  items: readonly { id: string; url: string | null }[],
): Promise<Map<string, string>> {
  const own = items.flatMap(({ id, url }) => {
    if (url === null) return []
    const address = itemAddress(url, id)
    return [{ id, url, address, hash: addressOf(address).hash }]
  })
  if (own.length === 0) return new Map()
  const rows = await db<{ hash: string }[]>`
    select encode(url_hash, 'hex') as hash from stage_articles
    where url_hash = any(array(select decode(hash, 'hex') from unnest(${own.map((one) => one.hash)}::text[]) as hash))`
  const known = new Set(rows.map((row) => row.hash))
  return new Map(own.map(({ id, url, address, hash }) => [id, known.has(hash) ? address : url]))
}

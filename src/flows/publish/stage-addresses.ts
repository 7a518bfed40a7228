import type { Db } from '../../db/pool.ts'
import { addressOf } from '../../stages/event.ts'
import { itemAddress } from '../../stages/record.ts'

/**
 * The address under which each item was indexed: an item that shares its page with others, or has none of its own, has
 * one below the page's. The stage events of one item must not be split over two addresses.
 */
export async function stageAddresses(
  db: Db,
  items: readonly { id: string; url: string | null }[],
): Promise<Map<string, string>> {
  const pages = await pagesOf(
    db,
    items.flatMap(({ id, url }) => (url === null ? [id] : [])),
  )
  const possible = items.map(({ id, url }) => {
    const own = (url === null ? (pages.get(id) ?? ['']) : [url]).map((page) =>
      itemAddress(page, id),
    )
    return { id, url, own }
  })
  const known = await knownAddresses(
    db,
    possible.flatMap(({ own }) => own),
  )
  return new Map(
    possible.map(({ id, url, own }) => [
      id,
      own.find((address) => known.has(address)) ?? url ?? own[0] ?? '',
    ]),
  )
}

/** Where items without an address of their own stood, first sight first. */
async function pagesOf(db: Db, itemIds: readonly string[]): Promise<Map<string, string[]>> {
  const pages = new Map<string, string[]>()
  if (itemIds.length === 0) return pages
  const rows = await db<{ item_id: string; url: string }[]>`
    select s.item_id, p.final_url as url
    from staged_items s join raw_items r on r.id = s.raw_item_id join pages p on p.id = r.page_id
    where s.item_id = any(${[...itemIds]}::uuid[]) order by s.raw_item_id`
  for (const { item_id, url } of rows) {
    const urls = pages.get(item_id)
    if (urls === undefined) pages.set(item_id, [url])
    else if (!urls.includes(url)) urls.push(url)
  }
  return pages
}

async function knownAddresses(db: Db, addresses: readonly string[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set()
  const hashes = addresses.map((address) => addressOf(address).hash)
  const rows = await db<{ hash: string }[]>`
    select encode(url_hash, 'hex') as hash from stage_articles
    where url_hash = any(array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash))`
  const known = new Set(rows.map((row) => row.hash))
  return new Set(addresses.filter((_, index) => known.has(hashes[index] ?? '')))
}

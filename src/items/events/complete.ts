import type { Tx } from '../../db/pool.ts'

export interface Completion {
  raw_item_id: string
  source_id: string
  url_hash: string
  description: string
  image_url: string | null
}

/** A page about a known event that repeats no date: it fills what the list left out. Gives the raw items that fitted. */
export async function completeEvents(
  tx: Tx,
  completions: readonly Completion[],
  now: Date,
): Promise<{ rawItemId: string; itemId: string }[]> {
  if (completions.length === 0) return []
  return tx<{ rawItemId: string; itemId: string }[]>`
    with c as materialized (
      select raw_item_id, source_id, decode(url_hash, 'hex') as url_hash, description, image_url
      from jsonb_to_recordset(${tx.json(completions as never)}) as c(
        raw_item_id bigint, source_id uuid, url_hash text, description text, image_url text)),
    latest as (
      select distinct on (source_id, url_hash) * from c order by source_id, url_hash, raw_item_id desc),
    filled as (
      update calendar_events e set
        description = case when e.description = '' then c.description else e.description end,
        image_url = coalesce(e.image_url, c.image_url),
        updated_at = ${now}
      from latest c
      where e.source_id = c.source_id and e.url_hash = c.url_hash
        and ((e.description = '' and c.description <> '') or (e.image_url is null and c.image_url is not null))
      returning e.id)
    select distinct on (c.raw_item_id) c.raw_item_id as "rawItemId", e.id as "itemId"
    from c join calendar_events e on e.source_id = c.source_id and e.url_hash = c.url_hash
    order by c.raw_item_id, e.id`
}

import type { Tx } from '../../db/pool.ts'
import { differences, insertChanges } from '../changes.ts'
import { searchOf } from './write.ts'

export interface Completion {
  raw_item_id: string
  source_id: string
  run_id: string | null
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
  const [filled, fitted] = await Promise.all([
    fillGaps(tx, completions, now),
    tx<{ rawItemId: string; itemId: string }[]>`
      select distinct on (c.raw_item_id) c.raw_item_id as "rawItemId", e.id as "itemId"
      from ${recordset(tx, completions)}
      join calendar_events e on e.source_id = c.source_id and e.url_hash = decode(c.url_hash, 'hex')
      order by c.raw_item_id, e.id`,
  ])
  await insertChanges(
    tx,
    filled.map(({ id, source_id, run_id, before, after }) => ({
      kind: 'calendar_event',
      item_id: id,
      source_id,
      run_id,
      change: 'updated',
      fields: differences(before, after, ['description', 'image_url']),
    })),
    now,
  )
  return fitted
}

interface Told {
  description: string
  image_url: string | null
}

interface Filled {
  id: string
  source_id: string
  run_id: string | null
  before: Told & Record<string, unknown>
  after: Told & Record<string, unknown>
}

async function fillGaps(
  tx: Tx,
  completions: readonly Completion[],
  now: Date,
): Promise<readonly Filled[]> {
  return tx<Filled[]>`
    with latest as materialized (
      select distinct on (source_id, url_hash) * from ${recordset(tx, completions)}
      order by source_id, url_hash, raw_item_id desc),
    poor as materialized (
      select e.id, e.description, e.image_url, c.description as told, c.image_url as shown, c.run_id
      from latest c join calendar_events e on e.source_id = c.source_id and e.url_hash = decode(c.url_hash, 'hex')
      where (e.description = '' and c.description <> '') or (e.image_url is null and c.image_url is not null)
      for update of e)
    update calendar_events e set description = r.description, image_url = r.image_url, updated_at = ${now},
      search = r.search
    from (select id, run_id, before, description, image_url, ${searchOf(tx)} as search from (
      select p.id, p.run_id, jsonb_build_object('description', p.description, 'image_url', p.image_url) as before,
        case when p.description = '' then p.told else p.description end as description,
        coalesce(p.image_url, p.shown) as image_url, k.language, k.title, k.venue_name, k.city, k.organizer, k.tags
      from poor p join calendar_events k on k.id = p.id) richer) r
    where e.id = r.id
    returning e.id, e.source_id, r.run_id, r.before,
      jsonb_build_object('description', e.description, 'image_url', e.image_url) as after`
}

function recordset(tx: Tx, completions: readonly Completion[]) {
  return tx`json_to_recordset(${JSON.stringify(completions)}::text::json) as c(
    raw_item_id bigint, source_id uuid, run_id uuid, url_hash text, description text, image_url text)`
}

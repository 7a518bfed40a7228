import { createHash } from 'node:crypto'
import type { Sql } from '../../src/db/pool.ts'
import { transaction } from '../../src/db/pool.ts'
import { newId } from '../../src/kernel/ids.ts'
import { systemClock, type Clock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import {
  insertChannel,
  type ChannelConfig,
  type ChannelKind,
} from '../../src/publish/channels/store.ts'
import { insertRoute } from '../../src/publish/routes/store.ts'
import type { RouteFilters } from '../../src/publish/routes/filters.ts'
import { raiseVersion } from '../../src/publish/versions.ts'
import { publishStage } from '../../src/flows/publish/publish-items.ts'
import { runStageOnce } from '../../src/flows/refine/stage.ts'

export async function addSource(sql: Sql, name: string): Promise<string> {
  const id = newId()
  const url = `https://${name.toLowerCase().replaceAll(' ', '-')}.test/`
  await sql`
    insert into sources (id, name, url, url_key, host_key)
    values (${id}, ${name}, ${url}, ${id}, ${name})`
  return id
}

export interface ArticleFields {
  title?: string
  description?: string
  text?: string
  author?: string | null
  language?: string
  tags?: string[]
  publishedAt?: Date | null
  url?: string
  imageUrl?: string | null
}

/** Inserts articles and their change rows in one transaction, as refinement does. */
export async function addArticles(
  sql: Sql,
  sourceId: string,
  articles: readonly ArticleFields[],
  now = new Date(),
): Promise<string[]> {
  const rows = articles.map((fields) => {
    const id = newId()
    const url = fields.url ?? `https://news.test/${id}`
    const text = fields.text ?? 'Some text of an article that says a little about the town.'
    return {
      id,
      source_id: sourceId,
      url,
      url_hash: createHash('sha256').update(url).digest('hex'),
      title: fields.title ?? `Article ${id.slice(-6)}`,
      description: fields.description ?? '',
      text,
      author: fields.author ?? null,
      language: fields.language ?? 'nl',
      tags: fields.tags ?? [],
      published_at: fields.publishedAt ?? null,
      image_url: fields.imageUrl ?? null,
      word_count: text.split(/\s+/).length,
    }
  })
  await transaction(sql, async (tx) => {
    await tx`
      insert into articles (id, source_id, url, url_hash, fingerprint, title, description, text, author, language, tags,
        published_at, image_url, word_count, strategy, sight_at, raw_item_id, sort_at, first_seen_at, updated_at, search)
      select id, source_id, url, decode(url_hash, 'hex'), decode(url_hash, 'hex'), title, description, text, author,
        language, tags, published_at, image_url, word_count, 'test', ${now}, 1, ${now}, ${now}, ${now},
        to_tsvector('simple', title)
      from jsonb_to_recordset(${tx.json(rows)}) as r(id uuid, source_id uuid, url text, url_hash text,
        title text, description text, text text, author text, language text, tags text[], published_at timestamptz,
        image_url text, word_count integer)`
    await tx`
      insert into item_changes (kind, item_id, source_id, change, at)
      select 'article', id, ${sourceId}, 'created', ${now} from unnest(${rows.map((row) => row.id)}::uuid[]) as id`
  })
  return rows.map((row) => row.id)
}

export async function changeTitle(sql: Sql, itemId: string, title: string): Promise<void> {
  await transaction(sql, async (tx) => {
    await tx`update articles set title = ${title} where id = ${itemId}`
    await tx`
      insert into item_changes (kind, item_id, source_id, change, at)
      select 'article', id, source_id, 'updated', now() from articles where id = ${itemId}`
  })
}

export async function setArticleStatus(sql: Sql, itemId: string, status: string): Promise<void> {
  await transaction(sql, async (tx) => {
    await tx`update articles set status = ${status} where id = ${itemId}`
    await tx`
      insert into item_changes (kind, item_id, source_id, change, at)
      select 'article', id, source_id, 'vanished', now() from articles where id = ${itemId}`
  })
}

export async function deleteArticle(sql: Sql, itemId: string): Promise<void> {
  await sql`delete from articles where id = ${itemId}`
}

export interface EventFields {
  title?: string
  description?: string
  startsAt?: Date
  endsAt?: Date | null
  allDay?: boolean
  category?: string
  lat?: number
  lng?: number
  status?: string
  city?: string | null
  url?: string | null
  tags?: string[]
}

export async function addEvent(
  sql: Sql,
  sourceId: string,
  fields: EventFields = {},
): Promise<string> {
  const id = newId()
  const startsAt = fields.startsAt ?? new Date('2027-03-05T19:30:00Z')
  const url = fields.url === undefined ? `https://agenda.test/${id}` : fields.url
  const hash = createHash('sha256').update(id).digest()
  await transaction(sql, async (tx) => {
    await tx`
      insert into calendar_events (id, source_id, url, url_hash, event_fingerprint, title, description, event_date,
        event_time, starts_at, ends_at, all_day, timezone, structured_date, venue_name, city, lat, lng, geo_precision,
        category, language, tags, status, strategy, sight_at, raw_item_id, first_seen_at, updated_at, search)
      values (${id}, ${sourceId}, ${url}, ${url === null ? null : hash}, ${hash}, ${fields.title ?? 'Concert'},
        ${fields.description ?? ''}, ${startsAt}, ${fields.allDay === true ? 'TBD' : '20:30'}, ${startsAt},
        ${fields.endsAt ?? null}, ${fields.allDay ?? false}, 'Europe/Amsterdam', '{}', 'Hall', ${fields.city ?? null},
        ${fields.lat ?? 52.09}, ${fields.lng ?? 5.12}, 'exact', ${fields.category ?? 'music'}, 'nl',
        ${fields.tags ?? []}, ${fields.status ?? 'active'}, 'test', now(), 1, now(), now(), to_tsvector('simple', ''))`
    await tx`
      insert into item_changes (kind, item_id, source_id, change, at)
      values ('calendar_event', ${id}, ${sourceId}, 'created', now())`
  })
  return id
}

export async function setEventStatus(sql: Sql, itemId: string, status: string): Promise<void> {
  await transaction(sql, async (tx) => {
    await tx`update calendar_events set status = ${status}, sequence = sequence + 1 where id = ${itemId}`
    await tx`
      insert into item_changes (kind, item_id, source_id, change, at)
      select 'calendar_event', id, source_id, 'updated', now() from calendar_events where id = ${itemId}`
  })
}

export async function addChannel(
  sql: Sql,
  kind: ChannelKind,
  config: ChannelConfig,
  secret: string | null = null,
): Promise<string> {
  const name = `channel ${newId().slice(-8)}`
  const id = await insertChannel(sql, { name, kind, config, secret, enabled: true }, new Date())
  await raiseVersion(sql, 'routes')
  if (id === null) throw new Error('the channel was not created')
  return id
}

export async function addRoute(
  sql: Sql,
  filters: RouteFilters,
  channelId: string | null = null,
): Promise<string> {
  const name = `route ${newId().slice(-8)}`
  const fields = { name, channelId, filters, enabled: true }
  const id = await insertRoute(sql, fields, newId(), new Date())
  await raiseVersion(sql, 'routes')
  if (id === null) throw new Error('the route was not created')
  return id
}

/** Classifies and routes everything that waits. */
export function publisher(sql: Sql, clock: Clock = systemClock): () => Promise<void> {
  const stage = publishStage()
  const deps = { sql, clock, log: silentLog, metrics: createMetrics({ process: false }) }
  return async () => {
    while ((await runStageOnce(stage, deps)) > 0);
  }
}

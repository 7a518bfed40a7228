import type { Db } from '../db/pool.ts'
import { isUuid } from '../kernel/ids.ts'
import { addressOf, foundItemAddress, itemAddress } from './event.ts'
import type {
  Candidate,
  JourneyFinder,
  JourneySource,
  JourneyStep,
  StepOutcome,
  Subject,
} from './journey.ts'
import { stageOfNumber } from './kinds.ts'

/** Who can tell something about an address. Other capabilities add theirs from flows. */
export const journeySources: JourneySource[] = [
  frontierSteps,
  pageSteps,
  rawItemSteps,
  stagedSteps,
  duplicateSteps,
  deliverySteps,
  stageSteps,
]

const mostSteps = 200

async function frontierSteps(db: Db, { hash }: { hash: string }): Promise<JourneyStep[]> {
  const rows = await db<
    {
      first_seen_at: Date
      status: string
      reason: string | null
      origin: string
      source: string | null
      last_fetched_at: Date | null
    }[]
  >`
    select f.first_seen_at, f.status, f.reason, f.origin, s.name as source, f.last_fetched_at
    from frontier f left join sources s on s.id = f.source_id
    where f.url_hash = decode(${hash}, 'hex') order by f.id limit ${mostSteps}`
  return rows.flatMap((row): JourneyStep[] => {
    const found = step(
      'discovered',
      row.first_seen_at,
      'discovered',
      null,
      `${row.source ?? 'a source'}, by ${row.origin}`,
    )
    if (row.status === 'refused')
      return [
        found,
        step('fetch', row.last_fetched_at ?? row.first_seen_at, 'dropped', row.reason, row.source),
      ]
    if (row.status === 'gone' || row.status === 'failed')
      return [
        found,
        step('fetch', row.last_fetched_at, 'failed', row.reason ?? row.status, row.source),
      ]
    if (row.status === 'moved')
      return [found, step('fetch', row.last_fetched_at, 'dropped', 'moved', row.source)]
    return row.status === 'waiting'
      ? [found, step('fetch', null, 'waiting', row.reason, row.source)]
      : [found]
  })
}

async function pageSteps(db: Db, { hash }: { hash: string }): Promise<JourneyStep[]> {
  const rows = await db<
    {
      fetched_at: Date
      outcome: string
      reason: string | null
      status: number | null
      tier: string
      items_found: number
      strategy: string | null
    }[]
  >`
    select p.fetched_at, p.outcome, p.reason, p.status, p.tier, p.items_found, p.strategy
    from frontier f join pages p on p.frontier_id = f.id
    where f.url_hash = decode(${hash}, 'hex') order by p.id desc limit ${mostSteps}`
  return rows.map((row) =>
    step(
      'fetch',
      row.fetched_at,
      pageOutcome(row.outcome),
      row.outcome === 'unchanged' ? 'unchanged' : row.reason,
      `HTTP ${row.status ?? 'none'} by ${row.tier}, ${row.items_found} items${row.strategy === null ? '' : ` by ${row.strategy}`}`,
    ),
  )
}

function pageOutcome(outcome: string): StepOutcome {
  return outcome === 'fetched' ? 'passed' : outcome === 'unchanged' ? 'dropped' : 'failed'
}

async function rawItemSteps(db: Db, subject: Subject): Promise<JourneyStep[]> {
  const rows = await db<
    { created_at: Date; kind: string; strategy: string; status: string; reason: string | null }[]
  >`
    select r.created_at, r.kind, r.strategy, r.status, r.reason from raw_items r
    where ${rawItemsOf(db, subject)} order by r.id desc limit ${mostSteps}`
  return rows.map((row) =>
    step(
      'extract',
      row.created_at,
      row.status === 'failed' ? 'failed' : 'passed',
      row.reason,
      `${row.kind === 'article' ? 'article' : 'calendar event'} by ${row.strategy}`,
    ),
  )
}

async function stagedSteps(db: Db, subject: Subject): Promise<JourneyStep[]> {
  const rows = await db<
    { staged_at: Date; outcome: string; reason: string | null; kind: string }[]
  >`
    select s.staged_at, s.outcome, s.reason, s.kind
    from raw_items r join staged_items s on s.raw_item_id = r.id
    where ${rawItemsOf(db, subject)} order by s.staged_at desc limit ${mostSteps}`
  return rows.map((row) =>
    step(
      'normalize',
      row.staged_at,
      row.outcome === 'failed' ? 'failed' : row.outcome === 'unchanged' ? 'dropped' : 'passed',
      row.outcome === 'unchanged' ? 'unchanged' : row.reason,
      row.outcome,
    ),
  )
}

/** What was read of an address; of one item, what became it. */
function rawItemsOf(db: Db, { hash, itemId }: Subject) {
  return itemId === undefined
    ? db`r.url_hash = decode(${hash}, 'hex')`
    : db`r.id in (select raw_item_id from staged_items where item_id = ${itemId})`
}

async function duplicateSteps(db: Db, { hash }: { hash: string }): Promise<JourneyStep[]> {
  const rows = await db<{ added_at: Date; score: number; url: string }[]>`
    select m.added_at, m.score, canonical.url
    from articles a
    join cluster_members m on m.item_id = a.id
    join clusters c on c.id = m.cluster_id and c.canonical_id <> a.id
    join articles canonical on canonical.id = c.canonical_id
    where a.url_hash = decode(${hash}, 'hex') limit ${mostSteps}`
  return rows.map((row) =>
    step(
      'dedup',
      row.added_at,
      'dropped',
      'duplicate_of',
      `${row.url} (similarity ${row.score.toFixed(2)})`,
    ),
  )
}

async function deliverySteps(db: Db, { hash, itemId }: Subject): Promise<JourneyStep[]> {
  const rows = await db<
    {
      at: Date
      status: string
      route: string
      channel: string | null
      attempts: number
      last_error: string | null
    }[]
  >`
    select coalesce(d.delivered_at, d.created_at) as at, d.status, r.name as route, c.name as channel, d.attempts, d.last_error
    from (
      select id from articles where url_hash = decode(${hash}, 'hex') and ${itemId ?? null}::uuid is null
      union all
      select id from calendar_events where url_hash = decode(${hash}, 'hex') and ${itemId ?? null}::uuid is null
      union all
      select ${itemId ?? null}::uuid
    ) item
    join deliveries d on d.item_id = item.id
    join routes r on r.id = d.route_id
    left join channels c on c.id = d.channel_id
    order by d.id desc limit ${mostSteps}`
  return rows.map((row) => {
    const where = `route ${row.route}${row.channel === null ? '' : ` to ${row.channel}`}`
    if (row.status === 'pending') return step('delivery', null, 'waiting', null, where)
    const outcome = row.status === 'delivered' ? 'passed' : 'failed'
    return step('delivery', row.at, outcome, row.last_error, `${where}, attempt ${row.attempts}`)
  })
}

async function stageSteps(db: Db, subject: Subject): Promise<JourneyStep[]> {
  const hashes = await stageHashes(db, subject)
  const rows = await db<
    {
      occurred_at: Date
      stage: number
      service: string
      metadata: Record<string, unknown> | null
    }[]
  >`
    select e.occurred_at, e.stage::int, v.name as service, e.metadata
    from stage_articles a
    join stage_events e on e.article_id = a.id
    join stage_services v on v.id = e.service_id
    where a.url_hash = any(array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash))
    order by e.occurred_at desc limit ${mostSteps}`
  return rows.map((row) => ({
    ...step(stageOfNumber(row.stage), row.occurred_at, 'passed', null, summary(row.metadata)),
    service: row.service,
  }))
}

/**
 * The addresses under which events of the subject are recorded. One item of several on a page has one of its own, and
 * another from before it was an item, when only its words were known.
 */
async function stageHashes(db: Db, { url, hash, itemId }: Subject): Promise<string[]> {
  if (itemId === undefined) return [hash]
  const own = addressOf(itemAddress(url, itemId)).hash
  const [known] = await db<{ id: string }[]>`
    select id from stage_articles where url_hash = decode(${own}, 'hex')`
  if (known === undefined) return [hash]
  const raw = await db<{ page_url: string; title: string; start: string | null }[]>`
    select p.final_url as page_url, r.item ->> 'title' as title, r.item -> 'calendar' ->> 'start' as start
    from staged_items s join raw_items r on r.id = s.raw_item_id join pages p on p.id = r.page_id
    where s.item_id = ${itemId} and r.item ->> 'url' is null`
  const found = raw.map((row) => foundItemAddress(row.page_url, row))
  return [own, ...new Set(found.map((address) => addressOf(address).hash))]
}

function summary(metadata: Record<string, unknown> | null): string | null {
  if (metadata === null) return null
  const parts = Object.entries(metadata)
    .filter(([, value]) => value !== null && value !== '')
    .map(
      ([key, value]) =>
        `${key.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
  return parts.length === 0 ? null : parts.join(' · ').slice(0, 500)
}

function step(
  stage: string,
  at: Date | null,
  outcome: StepOutcome,
  reason: string | null,
  detail: string | null,
): JourneyStep {
  return { stage, at, outcome, reason, detail, service: null }
}

type Found = Candidate[]

/** Who can tell which address is meant. A given id may be an item's, a known URL's, or the address itself. */
export const journeyFinders: JourneyFinder[] = [
  async (db, { title, id }): Promise<Found> => {
    if (title !== undefined)
      return await db<Found>`
          select url, title from articles where search @@ search_query(${title})
          order by lower(title) = lower(${title}) desc, sort_at desc limit 10`
    if (id === undefined) return []
    return isUuid(id)
      ? await db<Found>`select url, title from articles where id = ${id}`
      : await db<Found>`select url, title from articles where url = ${id} and url_hash = sha256(convert_to(${id}, 'UTF8')) limit 1`
  },
  // An event of an agenda may have no page of its own: then its journey begins with the page it stood on.
  async (db, { title, id }): Promise<Found> => {
    if (title !== undefined)
      return await db<Found>`
          select coalesce(e.url, p.final_url) as url, e.title, ${sharing(db)} as item_id
          from calendar_events e left join raw_items r on r.id = e.raw_item_id left join pages p on p.id = r.page_id
          where coalesce(e.url, p.final_url) is not null and e.search @@ search_query(${title})
          order by lower(e.title) = lower(${title}) desc, e.starts_at desc limit 10`
    if (id === undefined || !isUuid(id)) return []
    return await db<Found>`
        select coalesce(e.url, p.final_url) as url, e.title, ${sharing(db)} as item_id
        from calendar_events e left join raw_items r on r.id = e.raw_item_id left join pages p on p.id = r.page_id
        where e.id = ${id} and coalesce(e.url, p.final_url) is not null`
  },
  // Pages that never became an item have a title too.
  async (db, { title }): Promise<Found> =>
    title === undefined
      ? []
      : await db<Found>`
          select final_url as url, title from pages
          where lower(left(title, 200)) like ${likePrefix(title)} order by id desc limit 10`,
  async (db, { id }): Promise<Found> =>
    id !== undefined && /^\d{1,18}$/.test(id)
      ? await db<Found>`select url, null as title from frontier where id = ${id}`
      : [],
  async (db, { id }): Promise<Found> =>
    id !== undefined && /^[0-9a-f]{32}([0-9a-f]{32})?$/.test(id)
      ? await db<Found>`
            select url, null as title from stage_articles
            where url_hash >= decode(rpad(${id}, 64, '0'), 'hex') and url_hash <= decode(rpad(${id}, 64, 'f'), 'hex')`
      : [],
]

/** The event's id where its address alone does not tell which event is meant. */
function sharing(db: Db) {
  return db`case when e.url is null or exists (
    select from calendar_events o where o.url_hash = e.url_hash and o.id <> e.id) then e.id end`
}

function likePrefix(title: string): string {
  return `${title
    .trim()
    .toLowerCase()
    .slice(0, 190)
    .replace(/[\\%_]/g, '\\$&')}%`
}

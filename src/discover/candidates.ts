import type { Db } from '../db/pool.ts'
import { newId } from '../kernel/ids.ts'
import type { Sign } from './judge.ts'

export type CandidateStatus = 'new' | 'accepted' | 'rejected'
type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export interface NewCandidate {
  urlKey: string
  url: string
  title: string
  placeId: string
  query: string
  confidence: number
  reasons: Sign[]
  needsReview: boolean
  /** Fields of a source. */
  settings: Record<string, Json>
}

export interface Candidate extends Omit<NewCandidate, 'placeId'> {
  id: string
  placeId: string | null
  place: string | null
  status: CandidateStatus
  sourceId: string | null
  note: string | null
  decidedAt: Date | null
  createdAt: Date
}

export interface CandidateFilter {
  status: CandidateStatus
  minConfidence: number
}

const columns = (db: Db) => db`
  c.id, c.url_key as "urlKey", c.url, c.title, c.place_id as "placeId", p.name as place, c.query, c.confidence,
  c.reasons, c.needs_review as "needsReview", c.settings, c.status, c.source_id as "sourceId", c.note,
  c.decided_at as "decidedAt", c.created_at as "createdAt"`

/** Which of these addresses somebody has judged before, or is about to. */
export async function knownCandidates(db: Db, urlKeys: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ key: string }[]>`
    select url_key as key from source_candidates where url_key = any(${[...urlKeys]}::text[])`
  return new Set(rows.map((row) => row.key))
}

/** True when it is new: two searches may give one address at the same time. */
export async function addCandidate(db: Db, candidate: NewCandidate, now: Date): Promise<boolean> {
  const rows = await db`
    insert into source_candidates (id, url_key, url, title, place_id, query, confidence, reasons, needs_review,
      settings, created_at)
    values (${newId(now.getTime())}, ${candidate.urlKey}, ${candidate.url}, ${candidate.title}, ${candidate.placeId},
      ${candidate.query}, ${candidate.confidence}, ${candidate.reasons}, ${candidate.needsReview},
      ${db.json(candidate.settings)}, ${now})
    on conflict (url_key) do nothing returning 1`
  return rows.length > 0
}

export async function listCandidates(
  db: Db,
  filter: CandidateFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: Candidate[]; total: number }> {
  const matching = db`c.status = ${filter.status} and c.confidence >= ${filter.minConfidence}`
  const rows = await db<Candidate[]>`
    select ${columns(db)} from source_candidates c left join discovery_places p on p.id = c.place_id
    where ${matching} order by c.confidence desc, c.id limit ${page.limit} offset ${page.offset}`
  const [count] = await db<{ total: number }[]>`
    select count(*)::int as total from source_candidates c where ${matching}`
  return { rows, total: count?.total ?? 0 }
}

export async function findCandidate(db: Db, id: string): Promise<Candidate | null> {
  const [row] = await db<Candidate[]>`
    select ${columns(db)} from source_candidates c left join discovery_places p on p.id = c.place_id
    where c.id = ${id}`
  return row ?? null
}

/** Decides about a candidate that nobody decided about yet. */
export async function decideCandidate(
  db: Db,
  id: string,
  decision: { status: 'accepted' | 'rejected'; sourceId: string | null; note: string | null },
  now: Date,
): Promise<boolean> {
  const rows = await db`
    update source_candidates set status = ${decision.status}, source_id = ${decision.sourceId},
      note = ${decision.note}, decided_at = ${now}
    where id = ${id} and status = 'new' returning 1`
  return rows.length > 0
}

import type { Db } from '../db/pool.ts'
import type { SearchResult } from './search.ts'

export interface SearchAnswer {
  results: SearchResult[]
  fetchedAt: Date
}

export async function findAnswer(
  db: Db,
  query: string,
  country: string,
): Promise<SearchAnswer | null> {
  const [row] = await db<SearchAnswer[]>`
    select results, fetched_at as "fetchedAt" from search_answers
    where country = ${country} and query = ${query}`
  return row ?? null
}

export async function keepAnswer(
  db: Db,
  query: string,
  country: string,
  answer: SearchAnswer,
): Promise<void> {
  const results = answer.results.map((result) => ({ ...result }))
  await db`
    insert into search_answers (country, query, results, fetched_at)
    values (${country}, ${query}, ${db.json(results)}, ${answer.fetchedAt})
    on conflict (country, query) do update set results = excluded.results, fetched_at = excluded.fetched_at`
}

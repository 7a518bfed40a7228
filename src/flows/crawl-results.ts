import type { Db } from '../db/pool.ts'

/** One extracted item of a run, as it was found. */
export interface CrawlResult {
  kind: 'article' | 'calendar_event'
  strategy: string
  status: string
  reason: string | null
  item: Record<string, unknown>
}

/** What a run found, in the order it found it: by its pages, which are indexed by run. */
export async function listCrawlResults(
  db: Db,
  runId: string,
  page: { limit: number; offset: number },
): Promise<{ results: CrawlResult[]; total: number }> {
  const [results, counted] = await Promise.all([
    db<CrawlResult[]>`
      select i.kind, i.strategy, i.status, i.reason, i.item
      from pages p join raw_items i on i.page_id = p.id
      where p.run_id = ${runId} order by i.id limit ${page.limit} offset ${page.offset}`,
    db<{ total: number }[]>`
      select count(*)::int as total from pages p join raw_items i on i.page_id = p.id
      where p.run_id = ${runId}`,
  ])
  return { results, total: counted[0]?.total ?? 0 }
}

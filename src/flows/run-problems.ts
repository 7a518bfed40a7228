import type { Db } from '../db/pool.ts'
import type { Run } from '../runs/types.ts'

interface Failure {
  run: string
  reason: string
  /** The answer that came with most of them. */
  status: number | null
  pages: number
}

const words: Readonly<Record<string, string>> = {
  blocked: 'blocked',
  http_4xx: 'blocked',
  captcha: 'blocked by a captcha',
  rate_limited: 'asked to slow down',
  http_5xx: 'server error',
  timeout: 'took too long',
  refused: 'connection refused',
}

/** What is wrong with runs that ended well although most of their pages could not be read. */
export async function runProblems(db: Db, runs: readonly Run[]): Promise<Map<string, string>> {
  const suspects = runs.filter((run) => run.status === 'completed' && mostFailed(run))
  if (suspects.length === 0) return new Map()
  const failures = await db<Failure[]>`
    select distinct on (run_id) run_id as run, coalesce(reason, 'failed') as reason,
      mode() within group (order by status) as status, count(*)::int as pages
    from pages
    where run_id = any (${suspects.map((run) => run.id)}::uuid[]) and outcome = 'failed'
    group by run_id, reason order by run_id, count(*) desc, reason`
  return new Map(failures.map((failure) => [failure.run, inWords(failure)]))
}

function mostFailed({ counters, itemsIndexed }: Run): boolean {
  const { failed = 0, fetched = 0, unchanged = 0 } = counters ?? {}
  const read = fetched + unchanged
  // A page that will be tried again is not counted as failed yet, so nothing read is suspect as well.
  return (itemsIndexed ?? 0) === 0 && (failed > read || read === 0)
}

function inWords({ reason, status, pages }: Failure): string {
  const refused = status === 401 || status === 403 || status === 451
  const what =
    reason === 'http_4xx' && !refused ? 'not there' : (words[reason] ?? reason.replaceAll('_', ' '))
  const answer =
    status === null || status < 400 ? '' : refused ? `: ${status} to crawlers` : `: HTTP ${status}`
  return `${what}${answer}, on ${pages === 1 ? '1 page' : `${pages} pages`}`
}

import { expect, test } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { newId } from '../kernel/ids.ts'
import type { Run } from '../runs/types.ts'
import { runProblems } from './run-problems.ts'

const database = useDatabase()

test('a run that ended well says what stood in its way when most pages failed', async () => {
  const wall = ended({ failed: 3, fetched: 1 })
  const few = ended({ failed: 1, fetched: 5 })
  const fruitful = ended({ failed: 3, fetched: 1 }, 2)
  const down = ended({ failed: 2 })
  const dead = ended({ failed: 0 })
  const nothingDue = ended({ failed: 0 })
  for (const run of [wall, few, fruitful]) await pages(run.id, 3, 'http_4xx', 403)
  await pages(wall.id, 1, 'timeout', null)
  await pages(down.id, 2, 'http_5xx', 502)
  await pages(dead.id, 1, 'refused', null)
  const ends = [wall, few, fruitful, down, dead, nothingDue]
  const problems = await runProblems(database.sql, ends)
  expect(problems).toEqual(
    new Map([
      [wall.id, 'blocked: 403 to crawlers, on 3 pages'],
      [down.id, 'server error: HTTP 502, on 2 pages'],
      [dead.id, 'connection refused, on 1 page'],
    ]),
  )
})

function ended(counters: Record<string, number>, items = 0): Run {
  return { id: newId(), status: 'completed', counters, itemsIndexed: items } as Run
}

async function pages(run: string, count: number, reason: string, status: number | null) {
  await database.sql`
    insert into pages (source_id, run_id, frontier_id, url, final_url, status, tier, outcome, reason, fetched_at)
    select ${newId()}::uuid, ${run}, n, 'https://example.com/' || n, '', ${status}, 'static', 'failed', ${reason}, now()
    from generate_series(1, ${count}) as n`
}

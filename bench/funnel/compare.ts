import type { Sql } from '../../src/db/pool.ts'
import type { BenchApi } from './serve.ts'
import { specFunnel } from './spec-tables.ts'

interface Answer {
  from: string
  to: string
  stages: { name: string; count: number; unique_articles: number }[]
}

/** An earlier run on a kept folder has added events that the specification's tables do not hold. */
export async function isComparable(sql: Sql): Promise<boolean> {
  return (await sql`select from stage_services where name = 'load'`).length === 0
}

/** Asks the API and the specification's SQL the same questions; gives what differs. */
export async function compareAnswers(api: BenchApi, sql: Sql, end: Date): Promise<string[]> {
  const ago = (hours: number): string => new Date(end.getTime() - hours * 3_600_000).toISOString()
  const questions = [
    { query: 'period=today', source: null },
    { query: 'period=today&tz=Asia/Kolkata', source: null },
    { query: 'period=24h', source: null },
    { query: 'period=30d', source: null },
    { query: `from=${ago(60.3)}&to=${ago(13.7)}`, source: null },
    { query: 'period=30d', source: 'source_7' },
    { query: `from=${ago(200.2)}&to=${ago(30.1)}`, source: 'source_42' },
  ]
  const differences: string[] = []
  for (const { query, source } of questions) {
    const path = `/api/v1/funnel?${query}${source === null ? '' : `&source=${source}`}`
    const ours = (await api.get(path)) as Answer
    const theirs = await specFunnel(sql, new Date(ours.from), new Date(ours.to), source)
    for (const stage of ours.stages) {
      const same = theirs.find((row) => row.stage === stage.name)
      const [count, unique] = [same?.count ?? 0, same?.unique_articles ?? 0]
      if (stage.count !== count || stage.unique_articles !== unique)
        differences.push(
          `${path} ${stage.name}: ${stage.count}/${stage.unique_articles}, the specification ${count}/${unique}`,
        )
    }
  }
  return differences
}

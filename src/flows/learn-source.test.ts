import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { transaction } from '../db/pool.ts'
import type { StrategyName } from '../extract/types.ts'
import { learnFromBatch } from './learn-source.ts'

const database = useDatabase()

async function makeSource(preferred: StrategyName | null = null): Promise<string> {
  const id = randomUUID()
  await database.sql`
    insert into sources (id, name, url, url_key, host_key, preferred_method)
    values (${id}, 'S', ${`https://s.nl/${id}`}, ${id}, 's.nl', ${preferred})`
  return id
}

async function learn(id: string, strategies: (StrategyName | null)[], path: string | null = null) {
  await transaction(database.sql, (tx) =>
    learnFromBatch(
      tx,
      id,
      strategies.map((strategy) => ({ strategy, learnedPath: path, cms: null })),
    ),
  )
  const [row] = await database.sql<
    {
      preferred: string | null
      wins: number
      path: string | null
      version: number
    }[]
  >`
    select s.preferred_method as preferred, l.wins_in_a_row as wins, l.hydration_path as path,
      l.hydration_path_version as version
    from sources s left join source_learning l on l.source_id = s.id where s.id = ${id}`
  return row
}

describe('learning from a crawled batch', () => {
  it('prefers a method after three wins in a row, also across batches', async () => {
    const id = await makeSource()
    expect(await learn(id, ['json_ld', 'json_ld'])).toMatchObject({ preferred: null, wins: 2 })
    expect(await learn(id, [null, 'json_ld'])).toMatchObject({ preferred: 'json_ld', wins: 3 })
  })

  it('a win of another method in between starts the count again', async () => {
    const id = await makeSource()
    expect(await learn(id, ['dom', 'dom', 'json_ld', 'dom', 'dom'])).toMatchObject({
      preferred: null,
      wins: 2,
    })
  })

  it('a preferred method that keeps failing is unlearned and the next one takes its place', async () => {
    const id = await makeSource()
    await learn(id, ['hydration', 'hydration', 'hydration'])
    expect(await learn(id, ['dom'])).toMatchObject({ preferred: 'hydration' })
    expect(await learn(id, ['json_ld'])).toMatchObject({ preferred: 'hydration' })
    expect(await learn(id, ['dom'])).toMatchObject({ preferred: null })
    expect(await learn(id, ['dom', 'dom'])).toMatchObject({ preferred: 'dom' })
  })

  it('one list read by its looks does not unlearn what reads all the other pages', async () => {
    const id = await makeSource()
    await learn(id, ['json_ld', 'json_ld', 'json_ld', 'dom'])
    await learn(id, ['dom', 'json_ld'])
    await learn(id, ['dom'])
    expect(await learn(id, ['json_ld'])).toMatchObject({ preferred: 'json_ld' })
  })

  it("a person's own choice stays", async () => {
    const id = await makeSource('feed')
    expect(await learn(id, ['dom', 'dom', 'dom', 'dom'])).toMatchObject({ preferred: 'feed' })
  })

  it('keeps the path that most pages had and counts its versions', async () => {
    const id = await makeSource()
    expect(await learn(id, ['hydration'], 'next:a.*')).toMatchObject({
      path: 'next:a.*',
      version: 1,
    })
    expect(await learn(id, ['hydration'], 'next:a.*')).toMatchObject({ version: 1 })
    expect(await learn(id, ['dom'])).toMatchObject({ path: 'next:a.*', version: 1 })
    expect(await learn(id, ['hydration'], 'next:b.*')).toMatchObject({
      path: 'next:b.*',
      version: 2,
    })
  })

  it('teaches nothing to a crawl that has no source', async () => {
    const id = randomUUID()
    await transaction(database.sql, (tx) =>
      learnFromBatch(tx, id, [{ strategy: 'dom', learnedPath: null, cms: null }]),
    )
    expect(await database.sql`select 1 from source_learning where source_id = ${id}`).toHaveLength(
      0,
    )
  })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useDatabase } from '../../test/harness/database.ts'
import { judgeYield, yieldsOf } from './yield-drift.ts'

const database = useDatabase()

interface Reading {
  items: number
  strategy?: string | null
  saysEmpty?: boolean
  blocked?: boolean
  fields?: Record<string, number>
}

/** Each reading is one run that reads the source's one calendar page. */
async function driftAfter(readings: Reading[]) {
  const sourceId = randomUUID()
  const { sql } = database
  for (const {
    items,
    strategy = 'json_ld',
    saysEmpty = false,
    blocked = false,
    fields,
  } of readings) {
    const runId = randomUUID()
    const [page] = await sql<{ id: string }[]>`
      insert into pages (source_id, run_id, frontier_id, url, final_url, tier, outcome, reason, fetched_at)
      values (${sourceId}, ${runId}, ${7}, 'https://s.nl/', 'https://s.nl/', 'static',
        ${blocked ? 'failed' : 'fetched'}, ${blocked ? 'blocked' : null}, now()) returning id`
    if (blocked) continue
    await sql`
      insert into scraper_insights (source_id, run_id, page_id, winning_strategy, strategy_trace, items_found,
        execution_time_ms, says_empty, fields)
      values (${sourceId}, ${runId}, ${page?.id ?? '0'}, ${items === 0 ? null : strategy}, '[]', ${items}, 1,
        ${saysEmpty}, ${sql.json(fields ?? { start: items, location: items })})`
  }
  const [found] = await yieldsOf(sql, [sourceId])
  await sql`delete from pages where source_id = ${sourceId}`
  return found === undefined ? null : judgeYield(found)
}

describe('the yield of a source against its own history', () => {
  const usual: Reading[] = [{ items: 12 }, { items: 10 }, { items: 11 }]

  it('as usual is normal', async () => {
    expect(await driftAfter([...usual, { items: 9 }])).toMatchObject({ status: 'normal' })
  })

  it('nothing to compare with is unknown', async () => {
    expect(await driftAfter([{ items: 9 }])).toBeNull()
    expect(await driftAfter([{ items: 1 }, { items: 0 }])).toMatchObject({ status: 'unknown' })
  })

  it('a strategy that vanished is told by its name', async () => {
    expect(await driftAfter([...usual, { items: 0 }])).toMatchObject({
      status: 'low',
      cause: 'strategy_vanished',
    })
  })

  it('a calendar that says it is empty is not a broken extractor', async () => {
    expect(await driftAfter([...usual, { items: 0, saysEmpty: true }])).toMatchObject({
      status: 'empty',
      cause: 'calendar_empty',
    })
  })

  it('a block page is told from a redesign', async () => {
    expect(await driftAfter([...usual, { items: 0, blocked: true }])).toMatchObject({
      status: 'low',
      cause: 'block_page',
    })
  })

  it('as many items without their places are missed too', async () => {
    const last = { items: 11, fields: { start: 11 } }
    expect(await driftAfter([...usual, last])).toMatchObject({
      status: 'low',
      cause: 'fields_missing',
      missingFields: ['location'],
    })
  })

  it('fewer items by the same strategy is just that', async () => {
    expect(await driftAfter([...usual, { items: 3 }])).toMatchObject({
      status: 'low',
      cause: 'fewer_items',
      share: 0.273,
    })
  })
})

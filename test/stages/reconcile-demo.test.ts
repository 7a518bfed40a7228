import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoWeb, type DemoWeb } from '../../demo/index.ts'
import { createTokens } from '../../src/access/tokens.ts'
import { reconcileDay, replayDay } from '../../src/flows/reconcile-stages.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { readFunnel, type FunnelStage } from '../../src/stages/funnel.ts'
import { stageNames } from '../../src/stages/kinds.ts'
import type { StageReport } from '../../src/stages/report.ts'
import { inSnapshot } from '../../src/stages/snapshot.ts'
import { useDatabase } from '../harness/database.ts'
import { startMillrace, temporaryFolder, type MillraceProcess } from '../harness/millrace.ts'
import { waitFor } from '../harness/wait.ts'
import { startReceiver, type Receiver } from '../publish/receiver.ts'

const database = useDatabase()
const folder = temporaryFolder()
const secret = 'a-secret-for-the-reconciled-server'
const token = createTokens(secret).signService('test', 'admin', 600_000)
let web: DemoWeb
let receiver: Receiver
let millrace: MillraceProcess

async function post(path: string, body: object): Promise<{ id: string }> {
  const answer = await fetch(millrace.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { id: string }
}

const began = Date.now()

/** More than one when midnight passes meanwhile. */
function days(): string[] {
  return [...new Set([began, Date.now()].map((at) => new Date(at).toISOString().slice(0, 10)))]
}

async function reports(): Promise<StageReport[]> {
  return await Promise.all(days().map((day) => reconcileDay(database.sql, day)))
}

async function replay(): Promise<Record<string, number>> {
  const added: Record<string, number> = {}
  for (const day of days())
    for (const [stage, n] of await replayDay(database.sql, day))
      added[stage] = (added[stage] ?? 0) + n
  return added
}

async function readWholeFunnel(): Promise<FunnelStage[]> {
  const range = { from: new Date(began - 86_400_000), to: new Date(Date.now() + 1000) }
  return await inSnapshot(database.sql, systemClock, (snapshot) => readFunnel(snapshot, range))
}

async function deltas(): Promise<Record<string, number>> {
  const stages = (await reports()).flatMap((report) => report.stages)
  return Object.fromEntries(
    stageNames.map((name) => [
      name,
      stages.filter((one) => one.stage === name).reduce((sum, one) => sum + one.delta, 0),
    ]),
  )
}

beforeAll(async () => {
  web = await startDemoWeb({
    seed: 7,
    sites: ['dutch-news', 'wordpress-agenda', 'ics', 'municipal'],
  })
  receiver = await startReceiver()
  millrace = await startMillrace({
    DATABASE_URL: database.url,
    MILLRACE_DATA_DIR: folder.path,
    AUTH_JWT_SECRET: secret,
    CRAWLER_ALLOW_PRIVATE_NETWORKS: 'true',
    CRAWLER_MIN_DELAY_MS: '0',
  })
  const hook = await post('/api/v1/channels', {
    name: 'hook',
    kind: 'webhook',
    config: { url: receiver.url },
  })
  await post('/api/v1/routes', { name: 'all', channel_id: hook.id, filters: { min_quality: 0 } })
  await post('/api/v1/routes', { name: 'list', filters: { min_quality: 0 } })
  for (const { sourceDefaults } of web.sites) await post('/api/v1/sources', sourceDefaults)
}, 120_000)

afterAll(async () => {
  millrace?.kill('SIGKILL')
  await receiver?.stop()
  await web?.close()
  folder.remove()
})

test('what a real server crawled, refined and delivered reconciles to zero, and a hole is closed', async () => {
  const { sql } = database
  await waitFor(
    'everything to be crawled and delivered',
    async () => {
      const [row] = await sql<{ done: boolean }[]>`
        select (select count(*) = 4 from runs where status = 'completed')
          and not exists (select from runs where status in ('pending', 'running'))
          and not exists (select from raw_items where status = 'pending')
          and not exists (select from deliveries where status = 'pending')
          and not exists (select from articles i where not exists (
            select from classification_history h where h.item_id = i.id))
          and not exists (select from calendar_events i where not exists (
            select from classification_history h where h.item_id = i.id))
          and (select count(*) > 100 from deliveries) as done`
      return row?.done === true
    },
    { timeoutMs: 120_000 },
  )
  const none = { crawled: 0, indexed: 0, classified: 0, routed: 0, published: 0 }
  expect(await deltas()).toEqual(none)
  await millrace.stop()
  expect(await deltas()).toEqual(none)
  for (const stage of (await reports())[0]?.stages ?? []) expect(stage.source).toBeGreaterThan(20)
  const funnel = await readWholeFunnel()

  await sql`
    delete from stage_events where id in (select id from stage_events where stage = 3 order by id limit 7)`
  expect(await deltas()).toEqual({ ...none, classified: -7 })
  expect(await replay()).toMatchObject({ crawled: 0, indexed: 0, classified: 7, routed: 0 })
  expect(await deltas()).toEqual(none)

  // Everything is lost, sums too: the tables of the work tell the same funnel again.
  await sql`
    truncate stage_articles, stage_marks, stage_events, stage_tally_deltas, stage_tally_hours, stage_tally_days,
      stage_pair_deltas, stage_source_deltas, stage_pairs`
  await replay()
  expect(await deltas()).toEqual(none)
  expect(await readWholeFunnel()).toEqual(funnel)
}, 150_000)

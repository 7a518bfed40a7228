import type { Sql } from '../../src/db/pool.ts'
import { askForDates } from '../../src/flows/refine/ask-for-dates.ts'
import { dedupStage } from '../../src/flows/refine/dedup-items.ts'
import { embedOnce } from '../../src/flows/refine/embed-items.ts'
import { enrichOnce } from '../../src/flows/refine/enrich-items.ts'
import { geocodeOnce } from '../../src/flows/refine/geocode-items.ts'
import { refineStage } from '../../src/flows/refine/refine-items.ts'
import { retryDue } from '../../src/flows/refine/retry-dead-letters.ts'
import {
  runStageOnce,
  type Stage,
  type StageDeps,
  type StageRow,
} from '../../src/flows/refine/stage.ts'
import type { Assistant } from '../../src/normalize/ai/assistant.ts'
import type { Geocoder } from '../../src/normalize/geocode/nominatim.ts'
import { recordStage } from '../../src/stages/record.ts'

/** Called at every boundary by its name, e.g. "dedup claimed". */
export type AtBoundary = (name: string) => void

export interface StepOptions extends StageDeps {
  helpersUrl: string
  helperTimeoutMs?: number
  batchSize?: number
  at?: AtBoundary
}

/** Every step of refinement in turn, over and over, until none has anything left that is due. */
export async function refineEverything(options: StepOptions): Promise<void> {
  const steps = stepsOf(options)
  for (;;) {
    let done = 0
    for (const step of steps) done += await step()
    // A killed predecessor's locks go when its connection is noticed to be gone: what they hid is still to do.
    if (done === 0 && (await nothingDue(options.sql, options.clock.now()))) return
  }
}

/**
 * Where a process is killed: with its rows claimed, with everything written, between two transactions, and with the
 * answer of a helper in hand.
 */
export const boundaries = [
  ...['normalize', 'dedup'].flatMap((step) => [
    `${step} claimed`,
    `${step} before commit`,
    `${step} committed`,
  ]),
  ...['enrich', 'dates', 'geocode', 'embed'].flatMap((step) => [
    `${step} answered`,
    `${step} before commit`,
  ]),
  'enrich committed',
  'dates committed',
  'retry before commit',
]

function stepsOf(options: StepOptions): (() => Promise<number>)[] {
  const at = options.at ?? (() => undefined)
  // Loaded with the first question: most processes die before they have one.
  const clients = async () => {
    const { helperClients } = await import('./helpers-server.ts')
    return helperClients(options.helpersUrl, options.helperTimeoutMs ?? 10_000)
  }
  const size = options.batchSize === undefined ? {} : { batchSize: options.batchSize }
  const helpers = { geocoder: true, ai: true, embeddings: true }
  const refine = marked(refineStage({ recordStage, ...helpers, ...size }), at)
  const dedup = marked(dedupStage(size), at)
  const depsOf = (step: string) => {
    const around =
      <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        const answer = await call(...args)
        at(`${step} answered`)
        return answer
      }
    return {
      ...options,
      sql: markedCommits(options.sql, step, at),
      assistant: {
        model: 'm',
        ask: around(async (...asked: Parameters<Assistant['ask']>) =>
          (await clients()).assistant.ask(...asked),
        ),
        embed: around(async (...asked: Parameters<Assistant['embed']>) =>
          (await clients()).assistant.embed(...asked),
        ),
      },
      geocoder: around(async (...asked: Parameters<Geocoder>) =>
        (await clients()).geocoder(...asked),
      ),
      budget: 10_000,
      minDelayMs: 0,
    }
  }
  return [
    () => runStageOnce(refine, depsOf('normalize')),
    () => runStageOnce(dedup, depsOf('dedup')),
    () => enrichOnce(depsOf('enrich')),
    () => askForDates(depsOf('dates')),
    () => geocodeOnce(depsOf('geocode')),
    () => embedOnce(depsOf('embed')),
    () => retryDue(depsOf('retry')),
  ]
}

function marked<Row extends StageRow>(stage: Stage<Row>, at: AtBoundary): Stage<Row> {
  return {
    ...stage,
    claim: async (tx, wanted) => {
      const rows = await stage.claim(tx, wanted)
      if (rows.length > 0) at(`${stage.name} claimed`)
      return rows
    },
  }
}

function markedCommits(sql: Sql, step: string, at: AtBoundary): Sql {
  const begin = async (work: (tx: never) => Promise<unknown>): Promise<unknown> => {
    const result: unknown = await sql.begin(async (tx) => {
      const worked = await work(tx as never)
      at(`${step} before commit`)
      return worked
    })
    at(`${step} committed`)
    return result
  }
  return new Proxy(sql, {
    get: (target, name) => (name === 'begin' ? begin : (Reflect.get(target, name) as unknown)),
  })
}

async function nothingDue(sql: Sql, now: Date): Promise<boolean> {
  const [row] = await sql<{ due: boolean }[]>`
    select exists (select 1 from raw_items where status = 'pending' and next_attempt_at <= ${now})
      or exists (select 1 from dedup_queue where next_attempt_at <= ${now}) as due`
  return row?.due === false
}

import { transaction, type Sql, type Tx } from '../../db/pool.ts'
import type { Duty } from '../../db/leader.ts'
import {
  takeChosen,
  takeDue,
  type DeadLetter,
  type DeadLetterFilter,
} from '../../deadletters/store.ts'
import { rawItemsChannel } from '../../extract/store.ts'
import { dedupChannel } from '../../items/dedup/queue.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { startLoop } from '../../kernel/loop.ts'
import { fetchStage, putBackFetches } from '../crawl/fetch-letters.ts'
import { dedupStageName } from './dedup-items.ts'
import { publishQueueChannel } from '../../publish/queue.ts'
import { mirrorStage } from '../mirror-items.ts'
import { normalizeStage } from './refine-items.ts'

/** Puts the work of letters back into its stage, in the caller's transaction. */
export type PutBack = (tx: Tx, letters: readonly DeadLetter[], now: Date) => Promise<void>

/** By stage; other flows add theirs. */
export const refinePutBacks: Readonly<Record<string, PutBack>> = {
  [normalizeStage]: putBackRawItems,
  [dedupStageName]: putBackDedup,
  publish: putBackPublish,
  [fetchStage]: putBackFetches,
  [mirrorStage]: putBackMirror,
}

const everyMs = 60_000
const batch = 500

export interface RetryDeps {
  sql: Sql
  clock: Clock
  log: Log
  putBacks?: Readonly<Record<string, PutBack>>
}

/** Tries dead letters again when their time has come: 1 h × 2^n. */
export function startDeadLetterRetries(deps: RetryDeps): Duty {
  return startLoop({
    name: 'dead letter retries',
    everyMs,
    log: deps.log,
    runOnce: async () => ((await retryDue(deps)) === batch ? 'again' : undefined),
  })
}

export async function retryDue({
  sql,
  clock,
  putBacks = refinePutBacks,
}: RetryDeps): Promise<number> {
  return transaction(sql, async (tx) => {
    const now = clock.now()
    const letters = await takeDue(tx, Object.keys(putBacks), now, batch)
    await putBack(tx, letters, now, putBacks)
    return letters.length
  })
}

/** Operators retry single letters or all that match; stages nobody can put back stay as they are. */
export async function retryChosen(
  { sql, clock, putBacks = refinePutBacks }: Omit<RetryDeps, 'log'>,
  chosen: { ids: readonly string[] } | { filter: DeadLetterFilter },
): Promise<DeadLetter[]> {
  const all: DeadLetter[] = []
  for (;;) {
    const letters = await transaction(sql, async (tx) => {
      const now = clock.now()
      const taken = await takeChosen(
        tx,
        Object.keys(putBacks),
        'ids' in chosen ? chosen : { ...chosen, limit: batch },
        now,
      )
      await putBack(tx, taken, now, putBacks)
      return taken
    })
    all.push(...letters)
    if ('ids' in chosen || letters.length < batch) return all
  }
}

async function putBack(
  tx: Tx,
  letters: readonly DeadLetter[],
  now: Date,
  putBacks: Readonly<Record<string, PutBack>>,
): Promise<void> {
  for (const [stage, put] of Object.entries(putBacks)) {
    const mine = letters.filter((letter) => letter.stage === stage)
    if (mine.length > 0) await put(tx, mine, now)
  }
}

/** The raw item waits again, with whatever the payload says now: helpers may have completed it. */
async function putBackRawItems(tx: Tx, letters: readonly DeadLetter[], now: Date): Promise<void> {
  const rows = letters.map((letter) => ({
    id: letter.subject,
    item: letter.payload['item'] ?? null,
  }))
  await tx`
    update raw_items r
    set status = 'pending', attempts = 0, reason = null, next_attempt_at = ${now}, item = coalesce(b.item, r.item)
    from jsonb_to_recordset(${tx.json(rows as never)}) as b(id bigint, item jsonb)
    where r.id = b.id`
  await tx`select pg_notify(${rawItemsChannel}, '')`
}

async function putBackDedup(tx: Tx, letters: readonly DeadLetter[], now: Date): Promise<void> {
  const rows = letters.map((letter) => letter.payload)
  await tx`
    insert into dedup_queue (item_id, kind, source_id, next_attempt_at)
    select item_id, kind, source_id, ${now}
    from jsonb_to_recordset(${tx.json(rows as never)}) as q(item_id uuid, kind text, source_id uuid)
    on conflict (item_id) do nothing`
  await tx`select pg_notify(${dedupChannel}, '')`
}

async function putBackPublish(tx: Tx, letters: readonly DeadLetter[], now: Date): Promise<void> {
  const rows = letters.map((letter) => letter.payload)
  await tx`
    insert into publish_queue (item_id, kind, next_attempt_at)
    select item_id, kind, ${now} from jsonb_to_recordset(${tx.json(rows as never)}) as q(item_id uuid, kind text)
    on conflict (item_id) do update set attempts = 0, next_attempt_at = excluded.next_attempt_at`
  await tx`select pg_notify(${publishQueueChannel}, '')`
}

async function putBackMirror(tx: Tx, letters: readonly DeadLetter[], now: Date): Promise<void> {
  const rows = letters.map((letter) => letter.payload)
  await tx`
    insert into mirror_queue (item_id, kind, next_attempt_at)
    select item_id, kind, ${now} from jsonb_to_recordset(${tx.json(rows as never)}) as q(item_id uuid, kind text)
    on conflict (item_id) do update set attempts = 0, next_attempt_at = excluded.next_attempt_at`
}

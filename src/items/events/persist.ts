import type { Tx } from '../../db/pool.ts'
import { newId } from '../../kernel/ids.ts'
import { insertChanges } from '../changes.ts'
import type { Change, EventDraft, Kept } from '../types.ts'
import { knownEvents } from './match.ts'
import { mergeEvent } from './merge.ts'
import { movedDays } from './series.ts'
import { eventFingerprint, fieldsOf, loadCandidates, type EventRow } from './row.ts'
import { eventVectors, insertCarriers, insertEvents, touchEvents, updateEvents } from './write.ts'

export interface PersistedEvents {
  kept: Kept[]
  /** Items whose text, time or place is new: look for their duplicates. */
  moved: { itemId: string; sourceId: string }[]
}

/** Keeps a batch: inserts what is new, changes what differs, touches the rest. The caller holds the sources' locks. */
export async function persistEvents(
  tx: Tx,
  drafts: readonly EventDraft[],
  now: Date,
): Promise<PersistedEvents> {
  if (drafts.length === 0) return { kept: [], moved: [] }
  const stored = await loadCandidates(tx, drafts, now)
  const known = knownEvents(stored, drafts, await moves(tx, stored, drafts, now))
  const plan = createPlan()
  const rows = new Map<EventRow, EventRow>()
  const kept: Kept[] = []
  for (const draft of drafts) {
    const found = known.find(draft)
    if (found === null) {
      const row = newRow(draft, now)
      known.add(row)
      plan.inserted.set(row.id, row)
      kept.push({ rawItemId: draft.rawItemId, itemId: row.id, outcome: 'created' })
      continue
    }
    const merged = mergeEvent(found, draft, now)
    const differs = merged.change !== null || merged.row.fields !== found.fields
    // The same object stays in every index, so later drafts of the batch see what it has become.
    Object.assign(found, merged.row)
    known.refresh(found)
    rows.set(found, found)
    plan.note(
      found,
      merged.change === null ? null : { change: merged.change, fields: merged.fields },
      differs,
      draft,
    )
    kept.push({
      rawItemId: draft.rawItemId,
      itemId: found.id,
      outcome: merged.change === null ? 'unchanged' : 'updated',
    })
  }
  const inserted = [...plan.inserted.values()]
  const updated = [...plan.updated.values()]
  const vectors = await eventVectors(tx, [...inserted, ...updated])
  // An update may free the day and title that a new event takes, never the other way round.
  await Promise.all([
    updateEvents(tx, updated, vectors, now),
    insertEvents(tx, inserted, vectors, now),
    touchEvents(
      tx,
      [...plan.touched.values()].filter((row) => !plan.updated.has(row.id)),
    ),
    insertCarriers(tx, carriersOf(drafts, kept)),
    insertChanges(tx, [...inserted.map(created), ...plan.changes], now),
  ])
  return {
    kept,
    moved: [...inserted, ...updated].map((row) => ({
      itemId: row.id,
      sourceId: row.sourceId,
    })),
  }
}

/** A page that is not read to its end yet may still tell the day that seems to be gone. */
async function moves(
  tx: Tx,
  stored: readonly EventRow[],
  drafts: readonly EventDraft[],
  now: Date,
) {
  const moved = movedDays(stored, drafts, now)
  if (moved.size === 0) return moved
  const unread = await unreadPages(tx, [...moved.keys()], drafts)
  for (const draft of moved.keys()) if (unread.has(draft.frontierId)) moved.delete(draft)
  return moved
}

async function unreadPages(
  tx: Tx,
  moved: readonly EventDraft[],
  batch: readonly EventDraft[],
): Promise<Set<string | null>> {
  const rows = await tx<{ id: string }[]>`
    select distinct p.frontier_id as id from raw_items r join pages p on p.id = r.page_id
    where r.source_id = any(${moved.map((draft) => draft.sourceId)}::uuid[]) and r.status = 'pending'
      and r.kind = 'calendar_event' and p.frontier_id = any(${moved.map((draft) => draft.frontierId)}::bigint[])
      and r.id <> all(${batch.map((draft) => draft.rawItemId)}::bigint[])`
  return new Set(rows.map((row) => row.id))
}

interface Plan {
  inserted: Map<string, EventRow>
  updated: Map<string, EventRow>
  touched: Map<string, EventRow>
  changes: Change[]
  note(
    row: EventRow,
    change: Pick<Change, 'change' | 'fields'> | null,
    differs: boolean,
    draft: EventDraft,
  ): void
}

function createPlan(): Plan {
  const plan: Plan = {
    inserted: new Map(),
    updated: new Map(),
    touched: new Map(),
    changes: [],
    note: (row, change, differs, draft) => {
      // Completed before it was ever stored: still one new event.
      if (plan.inserted.has(row.id)) return
      if (differs) plan.updated.set(row.id, row)
      else plan.touched.set(row.id, row)
      if (change !== null) plan.changes.push({ ...facts(row), run_id: draft.runId, ...change })
    },
  }
  return plan
}

function facts(row: EventRow): Pick<Change, 'kind' | 'item_id' | 'source_id'> {
  return { kind: 'calendar_event', item_id: row.id, source_id: row.sourceId }
}

function created(row: EventRow): Change {
  return { ...facts(row), run_id: row.runId, change: 'created', fields: {} }
}

function newRow(draft: EventDraft, now: Date): EventRow {
  return {
    id: newId(),
    sourceId: draft.sourceId,
    url: draft.url,
    urlHash: draft.urlHash,
    sourceUid: draft.event.sourceUid,
    fingerprint: eventFingerprint(draft.event, draft.sourceId),
    sequence: 0,
    sight: draft.sight,
    sightAt: now,
    sightRunId: draft.runId,
    rawItemId: draft.rawItemId,
    runId: draft.runId,
    missedRuns: 0,
    strategy: draft.strategy,
    confidence: draft.confidence,
    provenance: draft.provenance,
    method: 'rules',
    enriched: {},
    fields: fieldsOf(draft),
  }
}

function carriersOf(drafts: readonly EventDraft[], kept: readonly Kept[]) {
  return drafts.flatMap((draft, index) => {
    const itemId = kept[index]?.itemId
    if (draft.frontierId === null || itemId === undefined) return []
    return [{ frontier_id: draft.frontierId, item_id: itemId, run_id: draft.runId }]
  })
}

import { differences, isEmpty, keepEnriched, same, type Fields } from '../changes.ts'
import { replaces } from '../sight.ts'
import type { ChangeName, EventDraft, FieldChanges } from '../types.ts'
import {
  eventFingerprint,
  fieldsOf,
  otherFields,
  seriesOf,
  tellingFields,
  whenFields,
  whereFields,
  type EventRow,
} from './row.ts'

export interface Merged {
  row: EventRow
  change: ChangeName | null
  fields: FieldChanges
}

const vague = new Set(['source', 'country'])

/** What a known event becomes when it is seen again. Worse sightings fill gaps, equal or better ones replace. */
export function mergeEvent(known: EventRow, draft: EventDraft, now: Date): Merged {
  const { fields: incoming, enriched } = keepEnriched(fieldsOf(draft), known.enriched)
  const before = known.fields
  const better = replaces(known, draft, now)
  const after: Fields = { ...before }
  take(
    after,
    incoming,
    whenFields,
    better ? keepsTime(before, incoming) : tellsTime(before, incoming),
  )
  take(
    after,
    incoming,
    whereFields,
    better ? !loosesPlace(before, incoming) : findsPlace(before, incoming),
  )
  for (const name of otherFields) {
    if (isEmpty(incoming[name])) continue
    if (better || isEmpty(before[name])) after[name] = incoming[name]
  }
  after['status'] = nextStatus(before, incoming, after, better)
  const fields = differences(before, after, tellingFields)
  const change = nameOf(fields, before, after)
  const silent = change === null && !same(before, after)
  return {
    change,
    fields,
    row: {
      ...known,
      url: after['url'] as string | null,
      urlHash: after['url'] === draft.url ? (draft.urlHash ?? known.urlHash) : known.urlHash,
      sourceUid: uidOf(known.sourceUid, draft.event.sourceUid),
      fingerprint: eventFingerprint(
        { title: String(after['title']), eventDate: String(after['event_date']) },
        known.sourceId,
      ),
      sequence: known.sequence + (movesCalendar(fields) ? 1 : 0),
      enriched: better ? enriched : known.enriched,
      // Confirmed by this run only when it told the same day.
      runId: same(after['event_date'], draft.event.eventDate) ? draft.runId : known.runId,
      missedRuns: 0,
      rawItemId: draft.rawItemId,
      ...(better && {
        sight: draft.sight,
        sightAt: now,
        sightRunId: draft.runId,
        strategy: draft.strategy,
        confidence: draft.confidence,
        provenance: draft.provenance,
      }),
      fields: silent || change !== null ? after : before,
    },
  }
}

/** A day of a series is known by the day it is planned for now. */
function uidOf(known: string | null, told: string | null): string | null {
  const isSameSeries = seriesOf(told) !== null && seriesOf(told) === seriesOf(known)
  return isSameSeries ? told : (known ?? told)
}

function take(after: Fields, incoming: Fields, names: readonly string[], taken: boolean): void {
  if (taken) for (const name of names) after[name] = incoming[name]
}

/** A list that tells only the day does not erase the hour; an end that is not repeated stays. */
function keepsTime(before: Fields, incoming: Fields): boolean {
  if (before['event_date'] !== incoming['event_date']) return true
  if (before['event_time'] !== 'TBD' && incoming['event_time'] === 'TBD') return false
  return !(
    before['event_time'] === incoming['event_time'] &&
    before['ends_at'] !== null &&
    incoming['ends_at'] === null
  )
}

function tellsTime(before: Fields, incoming: Fields): boolean {
  if (before['event_date'] !== incoming['event_date']) return false
  if (before['event_time'] === 'TBD') return incoming['event_time'] !== 'TBD'
  return (
    before['event_time'] === incoming['event_time'] &&
    before['ends_at'] === null &&
    incoming['ends_at'] !== null
  )
}

function loosesPlace(before: Fields, incoming: Fields): boolean {
  return (
    (vague.has(String(incoming['geo_precision'])) && !vague.has(String(before['geo_precision']))) ||
    (isEmpty(incoming['address']) &&
      !isEmpty(before['address']) &&
      same(incoming['venue_name'], before['venue_name']))
  )
}

function findsPlace(before: Fields, incoming: Fields): boolean {
  return vague.has(String(before['geo_precision'])) && !vague.has(String(incoming['geo_precision']))
}

function nextStatus(before: Fields, incoming: Fields, after: Fields, better: boolean): unknown {
  if (incoming['status'] === 'cancelled') return 'cancelled'
  if (!better && before['status'] !== 'vanished') return before['status']
  if (incoming['status'] !== 'active') return incoming['status']
  if (moved(before, after)) return 'rescheduled'
  return before['status'] === 'rescheduled' ? 'rescheduled' : 'active'
}

/** Told anew is not moved: an hour that was not known before is news, not a change of plan. */
function moved(before: Fields, after: Fields): boolean {
  if (before['event_date'] !== after['event_date']) return true
  return (
    before['event_time'] !== after['event_time'] &&
    before['event_time'] !== 'TBD' &&
    after['event_time'] !== 'TBD'
  )
}

function nameOf(fields: FieldChanges, before: Fields, after: Fields): ChangeName | null {
  if (Object.keys(fields).length === 0) return null
  if (fields['status'] !== undefined && after['status'] === 'cancelled') return 'cancelled'
  if (moved(before, after)) return 'rescheduled'
  if (
    fields['status'] !== undefined &&
    ['cancelled', 'vanished'].includes(String(before['status']))
  )
    return 'restored'
  return 'updated'
}

const calendarFields = ['starts_at', 'ends_at', 'all_day', 'venue_name', 'address', 'status']

function movesCalendar(fields: FieldChanges): boolean {
  return calendarFields.some((name) => fields[name] !== undefined)
}

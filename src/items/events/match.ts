import type { EventDraft } from '../types.ts'
import { eventFingerprint, seriesOf, type EventRow } from './row.ts'
import { movedDay, rhythmOf } from './series.ts'

export interface KnownEvents {
  find(draft: EventDraft): EventRow | null
  add(row: EventRow): void
  /** After a change of title, date or address. */
  refresh(row: EventRow): void
}

/** The events a batch may refer to: those of the database and those the batch itself adds. */
export function knownEvents(
  rows: readonly EventRow[],
  drafts: readonly EventDraft[],
  moved: ReadonlyMap<EventDraft, EventRow>,
): KnownEvents {
  const byFingerprint = new Map<string, Set<EventRow>>()
  const byUid = new Map<string, Set<EventRow>>()
  const byUrl = new Map<string, Set<EventRow>>()
  const bySeries = new Map<string, Set<EventRow>>()
  const add = (row: EventRow): void => {
    put(byFingerprint, `${row.sourceId} ${row.fingerprint}`, row)
    if (row.sourceUid !== null) put(byUid, `${row.sourceId} ${row.sourceUid}`, row)
    if (row.urlHash !== null) put(byUrl, `${row.sourceId} ${row.urlHash}`, row)
  }
  for (const row of rows) {
    add(row)
    const series = seriesOf(row.sourceUid)
    if (series !== null) put(bySeries, `${row.sourceId} ${series}`, row)
  }
  const rhythms = new Map([...bySeries].map(([series, days]) => [series, rhythmOf([...days])]))
  const told = new Set(drafts.map((draft) => `${draft.sourceId} ${draft.event.sourceUid}`))
  return {
    add,
    refresh: add,
    find: (draft) => {
      const of = (map: Map<string, Set<EventRow>>, key: string | null): EventRow[] =>
        key === null ? [] : [...(map.get(`${draft.sourceId} ${key}`) ?? [])]
      const print = eventFingerprint(draft.event, draft.sourceId)
      return (
        sameDayAndTitle(
          of(byFingerprint, print).filter((row) => row.fingerprint === print),
          draft,
        ) ??
        of(byUid, draft.event.sourceUid)[0] ??
        sameAddress(of(byUrl, draft.urlHash), draft) ??
        movedDay(
          of(bySeries, seriesOf(draft.event.sourceUid)).filter(
            (row) => !told.has(`${row.sourceId} ${row.sourceUid}`) && resembles(row, draft),
          ),
          draft,
          rhythms.get(`${draft.sourceId} ${seriesOf(draft.event.sourceUid)}`) ?? 0,
        ) ??
        moved.get(draft) ??
        null
      )
    },
  }
}

/** Two shows of one day differ by their time; a time not yet told fits the only show there is. */
function sameDayAndTitle(rows: readonly EventRow[], draft: EventDraft): EventRow | null {
  const { eventTime } = draft.event
  const exact = rows.find((row) => row.fields['event_time'] === eventTime)
  if (exact !== undefined) return exact
  if (eventTime === 'TBD') return rows[0] ?? null
  return rows.find((row) => row.fields['event_time'] === 'TBD') ?? null
}

/**
 * An event that moved or got another title keeps its address. Not so when several events share the address (the
 * performances of a play), or when this run already confirmed the known one on its old day.
 */
function sameAddress(rows: readonly EventRow[], draft: EventDraft): EventRow | null {
  if (!draft.urlIsOwn) return null
  const open = rows.filter(
    (row) =>
      (row.runId === null || row.runId !== draft.runId || sameWhen(row, draft)) &&
      (row.sourceUid === null ||
        draft.event.sourceUid === null ||
        row.sourceUid === draft.event.sourceUid) &&
      resembles(row, draft),
  )
  const [only] = open
  return open.length === 1 && only !== undefined
    ? only
    : (open.find((row) => sameWhen(row, draft)) ?? null)
}

function sameWhen(row: EventRow, draft: EventDraft): boolean {
  return (
    row.fields['event_date'] === draft.event.eventDate &&
    row.fields['event_time'] === draft.event.eventTime
  )
}

/** An address that is used again for something else ("/next-event") shares neither day nor words. */
function resembles(row: EventRow, draft: EventDraft): boolean {
  if (row.fields['event_date'] === draft.event.eventDate) return true
  const words = new Set(longWords(String(row.fields['title'])))
  const others = longWords(draft.event.title)
  return row.fields['title'] === draft.event.title || others.some((word) => words.has(word))
}

function longWords(title: string): string[] {
  return title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
}

function put(map: Map<string, Set<EventRow>>, key: string, row: EventRow): void {
  const rows = map.get(key)
  if (rows === undefined) map.set(key, new Set([row]))
  else rows.add(row)
}

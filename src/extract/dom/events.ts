import type { Document, Element } from 'domhandler'
import { withoutArchive } from './archive.ts'
import { dateLanguage } from './day-order.ts'
import { defaultsAbove, type ListDefaults } from './defaults.ts'
import { detailMention } from './detail-page.ts'
import { indexHeadings } from './headings.ts'
import { pageLines, type Line, type PageLines } from './lines.ts'
import { findMentions, type Mention } from './mentions.ts'
import { mergeEvents } from './merge-events.ts'
import { placeIn, splitPlace } from './place.ts'
import { cutByTime, cutRecords, type DatedRecord } from './records.ts'
import { selectRecords } from './select-records.ts'
import { statusOf } from './status.ts'
import { spokenTime } from './spoken-time.ts'
import type { ColumnRole } from './tables.ts'
import { findTimes, type TimeMention } from './time-scan.ts'
import { titleAbove, titleIn, type Found, type TitleContext } from './title.ts'
import type { CalendarStatus } from '../types.ts'
import { NOT_WHEN } from './words.ts'

export interface DomEvent {
  title: Found
  /** The record names it itself; otherwise its list does. */
  ownTitle: boolean
  mention: Mention
  date: string
  endDate: string | null
  time: TimeMention | null
  timeLine: Line | null
  place: Found | null
  status: CalendarStatus
  record: DatedRecord
  /** How many blocks stand in the same kind of place. */
  groupSize: number
}

export interface EventQuery {
  document: Document
  url: string
  pageTitle: string
  ref: string
  lang: string | null
}

interface Reading extends TitleContext {
  isDated(lineIndex: number): boolean
  sizes: Map<string, number>
}

/** The events a page tells in its looks: every dated block with its name, hour and place. */
export function findEvents(query: EventQuery): { events: DomEvent[]; page: PageLines } {
  const page = pageLines(query.document)
  const pageText = `${query.pageTitle} ${mainHeading(page)} ${decodeURIComponentSafe(query.url)}`
  const lang = dateLanguage(page.lines, query.lang)
  const mentions = findMentions(page, { ref: query.ref, lang, pageText })
  const dated = new Set(mentions.map((mention) => mention.line.index))
  const headings = indexHeadings(page.lines, (line) => dated.has(line.index))
  const reading: Reading = {
    page,
    headings,
    lang: query.lang,
    pageTitle: query.pageTitle,
    host: hostOf(query.url),
    roles: new Map<Element, ColumnRole[]>(),
    isDated: (at) => dated.has(at),
    sizes: new Map(),
  }
  const detail = detailMention(page, mentions, query.pageTitle)
  const records =
    detail === null ? selectRecords(headings, cutRecords(page, eventMentions(mentions))) : [detail]
  for (const { signature, from, to } of records) {
    reading.sizes.set(signature, (reading.sizes.get(signature) ?? 0) + 1)
    for (let at = from; at < to; at += 1) dated.add(at)
  }
  return {
    events: withoutArchive(mergeEvents(shareTime(eventsOf(records, reading))), query.ref),
    page,
  }
}

function eventMentions(mentions: Mention[]): Mention[] {
  const usable = mentions.filter((mention) => mention.weight !== 'noise')
  const inMain = usable.filter((mention) => mention.line.zone === 'main')
  const pool = inMain.length > 0 ? inMain : usable
  const clear = pool.filter((mention) => mention.weight === 'clear')
  return clear.length > 0 ? clear : pool.filter((mention) => mention.weight === 'announced')
}

function eventsOf(records: DatedRecord[], reading: Reading): DomEvent[] {
  const defaults = new Map<string, ListDefaults>()
  return records.flatMap((record) => {
    const parts = record.isPage === true ? [] : cutByTime(reading.page, record)
    if (parts.length < 2) return eventOf(record, reading, defaults) ?? []
    return parts.flatMap(
      (part) => eventOf({ ...record, ...part, root: null }, reading, defaults) ?? [],
    )
  })
}

// A list of bare dates beside one announced meeting: they meet at the same hour.
function shareTime(events: DomEvent[]): DomEvent[] {
  const times = new Map(
    events.flatMap((event) =>
      event.time === null ? [] : [[event.time.start, event.time] as const],
    ),
  )
  const [time] = times.values()
  if (times.size !== 1 || time === undefined) return events
  return events.map((event) =>
    event.time === null && !event.ownTitle ? { ...event, time: { ...time, end: null } } : event,
  )
}

function eventOf(
  record: DatedRecord,
  reading: Reading,
  defaults: Map<string, ListDefaults>,
): DomEvent | null {
  const mention = bestMention(record.mentions)
  if (mention === null) return null
  const own = titleIn(record, reading)
  const title = own ?? titleAbove(record, reading)
  if (title === null) return null
  const time = timeIn(record, mention, reading)
  const usual = time === null ? usualOf(record, reading, defaults) : null
  const usualPlace = (usual ?? usualOf(record, reading, defaults)).place
  const found = placeIn(record, reading.page, title.text, reading.lang, reading.roles)
  const split = own !== null && (found?.confidence ?? 0) < 0.7 ? splitPlace(title.text) : null
  return {
    title: split === null ? title : { ...title, text: split.name },
    ownTitle: own !== null,
    mention,
    date: mention.date,
    endDate: mention.endDate,
    time: time?.time ?? usual?.time ?? null,
    timeLine: time?.line ?? null,
    place:
      split === null ? (found ?? usualPlace) : { ...title, text: split.place, confidence: 0.5 },
    status: statusOf(record, reading.page),
    record,
    groupSize: reading.sizes.get(record.signature) ?? 1,
  }
}

function usualOf(
  record: DatedRecord,
  reading: Reading,
  known: Map<string, ListDefaults>,
): ListDefaults {
  const key = `${reading.headings.above(record.from)[0]?.index ?? -1}`
  const found =
    known.get(key) ?? defaultsAbove(reading.page, reading.headings, record, reading.isDated)
  known.set(key, found)
  return found
}

// With a label or an hour beside it, with its year, in a date column, or simply the first.
function bestMention(mentions: Mention[]): Mention | null {
  let best: Mention | null = null
  let bestScore = -1
  for (const mention of mentions) {
    const score =
      (mention.time === null ? 0 : 2) +
      (/\b(?:date|when|datum|wanneer)\b.{0,12}:\s*$/iu.test(
        mention.line.text.slice(0, mention.index),
      )
        ? 2
        : 0) +
      (mention.written.year === null ? 0 : 1) +
      (mention.role === 'date' ? 2 : 0)
    if (score > bestScore) {
      best = mention
      bestScore = score
    }
  }
  return best
}

function timeIn(
  record: DatedRecord,
  mention: Mention,
  { page, lang }: Reading,
): { time: TimeMention; line: Line } | null {
  const sameSpot =
    mention.line.index >= record.from && mention.line.index < record.to && record.clip === null
  if (mention.time !== null && sameSpot) return { time: mention.time, line: mention.line }
  const spoken = sameSpot ? spokenTime(mention, lang) : null
  if (spoken !== null) return { time: spoken, line: mention.line }
  if (record.clip !== null) {
    const time = findTimes(mention.line.text.slice(record.clip.start, record.clip.end))[0]
    return time === undefined ? null : { time, line: mention.line }
  }
  for (let at = record.from; at < Math.min(record.to, record.from + 40); at += 1) {
    const line = page.lines[at]
    if (line === undefined) break
    // Opening hours in a side column say nothing about the event.
    if (line.zone !== mention.line.zone) continue
    const time = findTimes(line.text)[0]
    if (time !== undefined && !NOT_WHEN.test(line.text.slice(0, time.index))) return { time, line }
  }
  return null
}

function mainHeading(page: PageLines): string {
  return page.lines
    .filter((line) => line.heading === 1 && line.zone === 'main')
    .slice(0, 3)
    .map((line) => line.text)
    .join(' ')
}

function decodeURIComponentSafe(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname)
  } catch {
    return ''
  }
}

function hostOf(url: string): string {
  try {
    return new URL(url).hostname
  } catch {
    return ''
  }
}

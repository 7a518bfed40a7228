import { Temporal } from 'temporal-polyfill'
import { civilOf } from '../../kernel/dates/calendar.ts'
import type { Component } from './lines.ts'
import { recur } from './recur.ts'
import { readRule } from './rule.ts'
import type { IcsZone } from './types.ts'
import { lineOf, linesOf, offsetSeconds, readTime, textOf } from './values.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'

const DAY = 86_400
const NO_ZONES: ReadonlyMap<string, IcsZone> = new Map()

/** A zone for every TZID in the file: IANA names, Windows names, the file's own VTIMEZONE, then offsets in the name. */
export function zonesOf(definitions: Component[], names: Iterable<string>): Map<string, IcsZone> {
  const zones = new Map<string, IcsZone>([['UTC', fixedZone(0, 'UTC')]])
  const defined = new Map(
    definitions.map((component) => [textOf(component, 'TZID') ?? '', component]),
  )
  for (const name of names) {
    if (zones.has(name)) continue
    const zone = zoneFor(name, defined.get(name))
    if (zone !== null) zones.set(name, zone)
  }
  return zones
}

function zoneFor(name: string, definition: Component | undefined): IcsZone | null {
  const known = ianaName(name)
  if (known !== null) return ianaZone(known)
  const location =
    definition === undefined ? null : ianaName(textOf(definition, 'X-LIC-LOCATION') ?? '')
  if (location !== null) return ianaZone(location)
  const own = definition === undefined ? null : ownZone(definition)
  return own ?? offsetZone(name)
}

/** The IANA name behind a TZID: vendor prefixes, Windows and Lotus names, and Outlook's lists of cities. */
function ianaName(name: string): string | null {
  const trimmed = name.trim().replace(/^"|"$/g, '')
  const lower = trimmed.toLowerCase().replace(/ \d$/, '')
  const windows = WINDOWS_ZONES[lower] ?? WINDOWS_ZONES[`${lower} standard time`]
  if (windows !== undefined) return windows
  const parts = trimmed.split('/')
  for (let i = 0; i < parts.length; i++) {
    const candidate = parts.slice(i).join('/')
    const plausible = candidate.includes('/') || SHORT_NAMES.test(candidate)
    if (plausible && isZone(candidate)) return candidate
  }
  return cityZone(trimmed)
}

const SHORT_NAMES =
  /^(?:UTC|GMT|[CEMW]ET|[EMH]ST|[A-Z]{3}\d[A-Z]{3}|Japan|Israel|Singapore|Turkey|Egypt|Poland|Portugal|Iceland|Zulu)$/i

/** "(UTC+01:00) Amsterdam, Berlin, Bern": the first city that has a zone of its own. */
function cityZone(name: string): string | null {
  const bare = name.replace(/^\([^)]*\)\s*/, '')
  const region = /^(Eastern|Central|Mountain|Pacific|Atlantic) Time \(/i.exec(bare)?.[1]
  if (region !== undefined) return WINDOWS_ZONES[`${region.toLowerCase()} standard time`] ?? null
  if (bare === name && !/[,、]/.test(name)) return null
  for (const city of bare.split(/[,、&]/)) {
    const zone = cities().get(city.trim().toLowerCase().replaceAll(' ', '_'))
    if (zone !== undefined) return zone
  }
  return null
}

let cityIndex: Map<string, string> | null = null

function cities(): Map<string, string> {
  if (cityIndex !== null) return cityIndex
  cityIndex = new Map([['東京', 'Asia/Tokyo']])
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    cityIndex.set(zone.slice(zone.lastIndexOf('/') + 1).toLowerCase(), zone)
  }
  return cityIndex
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const known = new Map<string, IcsZone>()

/** Offsets are asked once a day; only days with a change ask for every moment. */
function ianaZone(name: string): IcsZone {
  const cached = known.get(name)
  if (cached !== undefined) return cached
  const byDay = new Map<number, number | null>()
  const offsetAt = (epoch: number): number =>
    Temporal.Instant.fromEpochMilliseconds(epoch * 1000).toZonedDateTimeISO(name)
      .offsetNanoseconds / 1e9
  const steady = (day: number): number | null => {
    const found = byDay.get(day)
    if (found !== undefined) return found
    const before = offsetAt((day - 1) * DAY)
    const offset = before === offsetAt((day + 2) * DAY) ? before : null
    if (byDay.size > 20_000) byDay.clear()
    byDay.set(day, offset)
    return offset
  }
  const zone: IcsZone = {
    name,
    toEpochSeconds: (day, second) => {
      const offset = steady(day)
      if (offset !== null) return day * DAY + second - offset
      const { y, m, d } = civilOf(day)
      const wall = new Temporal.PlainDateTime(
        y,
        m,
        d,
        Math.floor(second / 3600),
        Math.floor(second / 60) % 60,
        second % 60,
      )
      return wall.toZonedDateTime(name, { disambiguation: 'compatible' }).epochMilliseconds / 1000
    },
    toWall: (epoch) => wallOf(epoch + (steady(Math.floor(epoch / DAY)) ?? offsetAt(epoch))),
  }
  known.set(name, zone)
  return zone
}

function fixedZone(offset: number, name: string | null): IcsZone {
  return {
    name,
    toEpochSeconds: (day, second) => day * DAY + second - offset,
    toWall: (epoch) => wallOf(epoch + offset),
  }
}

function wallOf(seconds: number): { day: number; second: number } {
  const day = Math.floor(seconds / DAY)
  return { day, second: seconds - day * DAY }
}

/** "GMT+0200", "UTC-5". Outlook's "(UTC+01:00)" hides summer time, so such a name stays floating. */
function offsetZone(name: string): IcsZone | null {
  const match = /^(?:GMT|UTC)([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(name.trim())
  if (match === null) return null
  const hours = (match[2] ?? '').padStart(2, '0')
  return fixedZone(offsetSeconds(`${match[1] ?? '+'}${hours}${match[3] ?? '00'}`), null)
}

interface Onset {
  /** Wall-clock seconds, in the offset that ends here. */
  at: number
  before: number
  after: number
}

/** A zone from the file's own STANDARD and DAYLIGHT rules. */
function ownZone(definition: Component): IcsZone | null {
  const onsets = definition.children.flatMap((child) => onsetsOf(child)).sort((a, b) => a.at - b.at)
  const first = onsets[0]
  if (first === undefined) return null
  const standard = definition.children.find((child) => child.name === 'STANDARD')
  const early =
    standard === undefined
      ? first.before
      : offsetSeconds(lineOf(standard, 'TZOFFSETTO')?.value ?? '')
  const offsetAtWall = (wall: number): number => {
    const index = lastAtOrBefore(onsets, wall)
    const onset = onsets[index]
    if (onset === undefined) return early
    // A wall clock in the gap still counts in the offset before it, as IANA zones do here.
    return wall - onset.at < onset.after - onset.before ? onset.before : onset.after
  }
  return {
    name: null,
    toEpochSeconds: (day, second) => day * DAY + second - offsetAtWall(day * DAY + second),
    toWall: (epoch) => {
      let offset = early
      for (const onset of onsets) if (epoch >= onset.at - onset.before) offset = onset.after
      return wallOf(epoch + offset)
    },
  }
}

function onsetsOf(observance: Component): Onset[] {
  const start = readTime(lineOf(observance, 'DTSTART')?.value ?? '', null, NO_ZONES)
  const after = offsetSeconds(lineOf(observance, 'TZOFFSETTO')?.value ?? '')
  const before = offsetSeconds(lineOf(observance, 'TZOFFSETFROM')?.value ?? '')
  if (start === null) return []
  const walls = [{ day: start.day, second: start.second }]
  const rule = readRule(lineOf(observance, 'RRULE')?.value ?? '', NO_ZONES)
  if (rule !== null) {
    const until = rule.until === null ? Number.POSITIVE_INFINITY : rule.until.day + 1
    for (const wall of recur(rule, start, start, 600)) {
      if (wall.day > until || civilOf(wall.day).y > 2100) break
      walls.push(wall)
    }
  }
  for (const line of linesOf(observance, 'RDATE')) {
    for (const value of line.value.split(',')) {
      const at = readTime(value, null, NO_ZONES)
      if (at !== null) walls.push(at)
    }
  }
  return walls.map(({ day, second }) => ({ at: day * DAY + second, before, after }))
}

function lastAtOrBefore(onsets: Onset[], wall: number): number {
  let low = 0
  let high = onsets.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if ((onsets[middle]?.at ?? 0) <= wall) low = middle + 1
    else high = middle - 1
  }
  return high
}

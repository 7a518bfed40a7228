// A calendar file as read, before recurring events are expanded.

/** A moment as written: a day, a wall-clock time, or a wall-clock time in a zone. */
export interface IcsTime {
  kind: 'date' | 'floating' | 'zoned'
  /** Day number since 1970-01-01 and second of that day, on the wall clock. */
  day: number
  second: number
  /** Key of the zone in the calendar's zones; null when not zoned. */
  zone: string | null
}

export interface IcsRule {
  freq: 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY' | 'HOURLY' | 'MINUTELY' | 'SECONDLY'
  interval: number
  count: number | null
  until: IcsTime | null
  /** 1 is Monday. */
  weekStart: number
  byMonth: number[]
  byWeekNo: number[]
  byYearDay: number[]
  byMonthDay: number[]
  byDay: { weekday: number; nth: number }[]
  byHour: number[]
  byMinute: number[]
  bySecond: number[]
  bySetPos: number[]
}

export interface IcsDuration {
  days: number
  seconds: number
}

export interface IcsEvent {
  uid: string | null
  summary: string | null
  description: string | null
  location: string | null
  url: string | null
  status: string | null
  /** `YYYY-MM-DD`, floating `YYYY-MM-DDTHH:MM:SS`, or an instant that ends in Z. */
  start: string | null
  end: string | null
  allDay: boolean
  timezone: string | null
  recurring: boolean
  sequence: number
  rrule: string | null
  exdates: string[]
  recurrenceId: string | null
  organizer: string | null
  categories: string[]
  lastModified: string | null
  geo: { lat: number; lng: number } | null
  imageUrl: string | null
  /** The parsed values behind the text above, for expansion. */
  times: IcsEventTimes
}

export interface IcsEventTimes {
  start: IcsTime | null
  end: IcsTime | null
  duration: IcsDuration | null
  rules: IcsRule[]
  excludedRules: IcsRule[]
  rdates: { at: IcsTime; end: IcsTime | null; duration: IcsDuration | null }[]
  exdates: IcsTime[]
  recurrenceId: IcsTime | null
  /** The override moves every later occurrence too. */
  andFuture: boolean
}

/** Seconds to add to the wall clock of a zone to get UTC are found by asking the zone. */
export interface IcsZone {
  /** IANA name when the zone is a known one. */
  name: string | null
  toEpochSeconds(day: number, second: number): number
  toWall(epochSeconds: number): { day: number; second: number }
}

export interface IcsCalendar {
  name: string | null
  timezone: string | null
  method: string | null
  events: IcsEvent[]
  zones: ReadonlyMap<string, IcsZone>
}

export interface IcsOccurrence {
  event: IcsEvent
  uid: string | null
  start: string
  end: string | null
  recurrenceId: string | null
}

export interface IcsLimits {
  /** Occurrences in all. */
  maxOccurrences: number
  /** Steps of one rule, so that a rule without any date ends. */
  maxSteps: number
}

const DATE_PATH = /\/((?:19|20)\d{2})[-/](0?[1-9]|1[0-2])(?:[-/](0?[1-9]|[12]\d|3[01]))?(?:\/|$)/
const CALENDAR = /calend|kalend|agenda|events?|maand|month|week|dag|day|programma/i
const DATE_PARAM =
  /[?&](?:month|maand|year|jaar|week|day|date|datum|ym|cal_?date|tribe-bar-date|mec_?month|start_?date|yr|mo)(?:\[\w*\])?=[^&]*\d/i
const DATE_VALUE = /=((?:19|20)\d{2})-?(0[1-9]|1[0-2])(?:-?(0[1-9]|[12]\d|3[01]))?(?:&|$)/
const YEAR_PARAM = /[?&](?:year|jaar|yr)=((?:19|20)\d{2})(?:&|$)/i
const MONTH_PARAM = /[?&](?:month|maand|mo)=(0?[1-9]|1[0-2])(?:&|$)/i

/** How far ahead views are read: whole seasons are announced, single days only as far as people plan. */
const MONTHS_AHEAD = 12
const DAYS_AHEAD = 31
const DAY_MS = 86_400_000

/** The month or day that a view of a calendar shows; 'unclear' when its address does not say. */
export type CalendarView = { year: number; month: number; day: number | null } | 'unclear'

/**
 * A month or day view of a calendar: every page links to the next one, for ever. Dated article addresses
 * (`/2024/05/12/title`) are not.
 */
export function calendarView(url: string): CalendarView | null {
  const [address = '', query = ''] = url.replace(/#.*$/, '').split('?', 2)
  if (DATE_PARAM.test(`?${query}`) && query !== '') return viewInQuery(`?${query}`)
  const path = address.replace(/^https?:\/\/[^/]*/i, '')
  const dated = DATE_PATH.exec(path)
  if (dated === null || !CALENDAR.test(path)) return null
  return path.length <= dated.index + dated[0].length ? toView(dated) : null
}

/** Outside of what is coming up: there the steps have no end. */
export function isEndless(view: CalendarView | null, now: Date): boolean {
  if (view === null) return false
  if (view === 'unclear') return true
  const { year, month, day } = view
  if (day !== null) {
    const days = (Date.UTC(year, month - 1, day) - now.getTime()) / DAY_MS
    return days < -2 || days > DAYS_AHEAD
  }
  const months = (year - now.getUTCFullYear()) * 12 + month - (now.getUTCMonth() + 1)
  return months < 0 || months > MONTHS_AHEAD
}

export function isCalendarTrap(url: string, now: Date): boolean {
  return isEndless(calendarView(url), now)
}

function viewInQuery(query: string): CalendarView {
  const value = DATE_VALUE.exec(query)
  if (value !== null) return toView(value)
  const [year, month] = [YEAR_PARAM.exec(query)?.[1], MONTH_PARAM.exec(query)?.[1]]
  if (year === undefined || month === undefined) return 'unclear'
  return { year: Number(year), month: Number(month), day: null }
}

function toView([, year, month, day]: RegExpExecArray): CalendarView {
  return { year: Number(year), month: Number(month), day: day === undefined ? null : Number(day) }
}

const DATE_PATH = /\/(?:19|20)\d{2}[-/](?:0?[1-9]|1[0-2])(?:[-/](?:0?[1-9]|[12]\d|3[01]))?(?:\/|$)/
const CALENDAR = /calend|kalend|agenda|events?|maand|month|week|dag|day|programma/i
const DATE_PARAM =
  /[?&](?:month|maand|year|jaar|week|day|date|datum|ym|cal_?date|tribe-bar-date|mec_?month|start_?date|yr|mo)(?:\[\w*\])?=[^&]*\d/i

/**
 * A month or day view of a calendar: every page links to the next one, for ever. Dated article addresses
 * (`/2024/05/12/title`) are not.
 */
export function isCalendarTrap(url: string): boolean {
  if (DATE_PARAM.test(url)) return true
  const path = url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/, '')
  const dated = DATE_PATH.exec(path)
  if (dated === null || !CALENDAR.test(path)) return false
  return path.length <= dated.index + dated[0].length
}

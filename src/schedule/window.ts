/** The hours in which a source may be crawled, all in UTC. */
export interface CrawlWindow {
  /** First hour inside, 0 to 23. */
  startHour: number
  /** First hour outside; smaller than the start for a window over midnight. */
  endHour: number
  /** 0 is Sunday; empty means every day. */
  days: readonly number[]
}

const hourMs = 3_600_000
const hoursPerWeek = 7 * 24

/** A day is the calendar day of the moment itself, so a window over midnight needs both days. */
export function inWindow(window: CrawlWindow | null, time: Date): boolean {
  if (window === null) return true
  if (window.days.length > 0 && !window.days.includes(time.getUTCDay())) return false
  const hour = time.getUTCHours()
  return window.startHour <= window.endHour
    ? hour >= window.startHour && hour < window.endHour
    : hour >= window.startHour || hour < window.endHour
}

/** The first moment from `time` on that lies inside, or null for a window that never opens. */
export function nextWindowStart(window: CrawlWindow | null, time: Date): Date | null {
  if (inWindow(window, time)) return time
  const thisHour = Math.floor(time.getTime() / hourMs) * hourMs
  for (let hour = 1; hour <= hoursPerWeek; hour++) {
    const candidate = new Date(thisHour + hour * hourMs)
    if (inWindow(window, candidate)) return candidate
  }
  return null
}

/** The columns of a job as a window; no hours means no window. */
export function windowOf(columns: {
  crawlWindowStart: number | null
  crawlWindowEnd: number | null
  crawlWindowDays: readonly number[] | null
}): CrawlWindow | null {
  const { crawlWindowStart: startHour, crawlWindowEnd: endHour } = columns
  if (startHour === null || endHour === null) return null
  return { startHour, endHour, days: columns.crawlWindowDays ?? [] }
}

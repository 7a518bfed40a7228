import type { WrittenDate } from './date-scan.ts'
import { specificWords } from './headings.ts'
import type { Line } from './lines.ts'
import type { DateContext } from './mentions.ts'

interface YearLabel {
  line: number
  first: number
  /** Second year of a season ("2025-2026"), else the same. */
  last: number
}

const LABEL_CHARS = 90
const YEARS = /(?<![\d$€.,/-])((?:19|20)\d{2})(?:\s?[-–/]\s?((?:19|20)?\d{2}))?(?![\d/]|-\d)/g
const DAYS_BACK = 45

/** The year of every date found, in order; undefined for days that do not exist. */
export function resolveYears(
  lines: Line[],
  found: Array<{ line: Pick<Line, 'index'>; written: WrittenDate }>,
  context: DateContext,
): Array<number | undefined> {
  const dated = new Set(found.map(({ line }) => line.index))
  const labels = yearLabels(lines, dated)
  const written = new Map<string, number>()
  for (const { written: date } of found)
    if (date.year !== null) written.set(`${date.month}-${date.day}`, date.year)
  const pageYear = lastYearIn(context.pageText)
  let label = -1
  return found.map(({ line, written: date }) => {
    if (date.year !== null) return date.year
    while ((labels[label + 1]?.line ?? Infinity) <= line.index) label += 1
    const near = labels[label]
    const guess =
      (near === undefined ? undefined : inSeason(near, date)) ??
      written.get(`${date.month}-${date.day}`) ??
      pageYear ??
      undefined
    return guess === undefined ? nextOnOrAfter(date, context.ref) : fitWeekday(date, guess)
  })
}

/** Short lines that name one year or season and no day: "2019 Meetings:", "Seizoen 2025/2026". */
function yearLabels(lines: Line[], dated: Set<number>): YearLabel[] {
  const labels: YearLabel[] = []
  for (const line of lines) {
    if (line.zone === 'footer' || line.zone === 'nav' || dated.has(line.index)) continue
    if (line.text.length > LABEL_CHARS * 3 || !/(?:19|20)\d\d/.test(line.text)) continue
    const text = line.text.replace(/\S*\/\S{12,}/g, ' ').trim()
    if (text.length > LABEL_CHARS || /©|copyright/i.test(text)) continue
    const years = distinct([...text.matchAll(YEARS)])
    const [, first, second] = years[0] ?? []
    if (years.length !== 1 || first === undefined) continue
    if (line.heading === 0 && !line.strong && specificWords(text).length > 2) continue
    labels.push({ line: line.index, first: Number(first), last: secondYear(first, second) })
  }
  return labels.filter((label, at) => !isTab(labels, at, lines, label))
}

function distinct(matches: RegExpExecArray[]): RegExpExecArray[] {
  return matches.filter((match, at) => matches.findIndex((other) => other[0] === match[0]) === at)
}

function secondYear(first: string, second: string | undefined): number {
  if (second === undefined) return Number(first)
  const last = second.length === 4 ? Number(second) : Number(first.slice(0, 2) + second)
  return last === Number(first) + 1 ? last : Number(first)
}

// A row of bare years is a switch between years, not a heading over what follows.
function isTab(labels: YearLabel[], at: number, lines: Line[], label: YearLabel): boolean {
  const bare = (other: YearLabel | undefined): boolean =>
    other !== undefined && (lines[other.line]?.text.length ?? 99) <= 12
  const before = labels[at - 1]
  const after = labels[at + 1]
  const besideAnother =
    (bare(before) && before?.line === label.line - 1) ||
    (bare(after) && after?.line === label.line + 1)
  return bare(label) && besideAnother && lines[label.line]?.heading === 0
}

function inSeason(label: YearLabel, date: WrittenDate): number {
  return label.first !== label.last && date.month < 8 ? label.last : label.first
}

function lastYearIn(text: string): number | null {
  const years = [...new Set(text.match(/(?<!\d)20\d{2}(?!\d)/g) ?? [])]
  return years.length === 1 ? Number(years[0]) : null
}

function fitWeekday(date: WrittenDate, year: number): number {
  if (date.weekday === null || weekdayOf(date, year) === date.weekday) return year
  return [year + 1, year - 1].find((other) => weekdayOf(date, other) === date.weekday) ?? year
}

// Lists without years keep what happened lately, so look a little back before looking ahead.
function nextOnOrAfter(date: WrittenDate, ref: string): number {
  const refTime = Date.parse(`${ref.slice(0, 10)}T00:00:00Z`)
  const refYear = Number(ref.slice(0, 4))
  const from = refTime - DAYS_BACK * 86_400_000
  const candidates = [refYear - 1, refYear, refYear + 1].filter(
    (year) => Date.UTC(year, date.month - 1, date.day) >= from,
  )
  const fitting = candidates.find(
    (year) => date.weekday === null || weekdayOf(date, year) === date.weekday,
  )
  return fitting ?? candidates[0] ?? refYear
}

function weekdayOf(date: WrittenDate, year: number): number {
  return new Date(Date.UTC(year, date.month - 1, date.day)).getUTCDay()
}

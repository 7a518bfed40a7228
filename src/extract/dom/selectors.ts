import { selectAll, selectOne } from 'css-select'
import { isTag, type AnyNode, type Element } from 'domhandler'
import type { Page } from '../page.ts'
import type { FieldOrigin, RawItem, RawLocation } from '../types.ts'
import { scanDates } from './date-scan.ts'
import { imageUrl, webUrl } from './media.ts'
import { languageOf } from './language.ts'
import { textOf } from './text-of.ts'
import { findTimes } from './time-scan.ts'
import { resolveYears } from './years.ts'
import { CANCELLED, POSTPONED } from './words.ts'
import { emptyItem } from './empty-item.ts'

/** CSS selectors by field; all but `container` are looked up inside it. */
export type SelectorSet = Record<string, string>

export interface SelectorResult {
  items: RawItem[]
  /** Elements the container selector matched. */
  containers: number
  /** Why selectors were not used: `container: unknown pseudo-class :foo`. */
  problems: string[]
}

const FIELDS = [
  'title',
  'date',
  'time',
  'location',
  'address',
  'city',
  'postalCode',
  'organizer',
  'price',
  'description',
  'link',
  'image',
  'end',
] as const
type Fields = Partial<Record<(typeof FIELDS)[number], Element>>
const MAX_CONTAINERS = 5_000
const MAX_SELECTOR_CHARS = 500
const SELECTOR_CONFIDENCE = 0.85

/** Reads items where a person or an earlier run said they are. A wrong selector is a reason, not an error. */
export function itemsBySelectors(page: Page, set: SelectorSet): SelectorResult {
  const problems: string[] = []
  const container = set['container']
  if (container === undefined) return { items: [], containers: 0, problems: ['container: missing'] }
  const blocks = query(container, page.dom.children, 'container', problems).slice(0, MAX_CONTAINERS)
  const items = blocks.flatMap((block) => itemIn(block, set, page, problems) ?? [])
  return { items, containers: blocks.length, problems: [...new Set(problems)] }
}

function itemIn(block: Element, set: SelectorSet, page: Page, problems: string[]): RawItem | null {
  const found: Fields = {}
  for (const field of FIELDS) {
    const selector = set[field]
    if (selector === undefined) continue
    const element = queryOne(selector, block, field, problems)
    if (element !== null) found[field] = element
  }
  const title = found.title === undefined ? '' : textOf(found.title, 200)
  if (title === '') return null
  const base = page.scan.baseUrl
  const link = found.link ?? (found.title === undefined ? undefined : ownLink(found.title, block))
  const start = whenIn(found.date, found.time, page)
  const item: RawItem = {
    ...emptyItem(start === null ? 'article' : 'calendar_event', title),
    url: link === undefined ? null : webUrl(link, base),
    description: found.description === undefined ? null : textOf(found.description, 600),
    imageUrl: found.image === undefined ? null : imageUrl(found.image, base),
    confidence: SELECTOR_CONFIDENCE,
    provenance: provenanceOf(found, set),
  }
  if (item.calendar !== null && start !== null) {
    item.calendar.start = start.start
    item.calendar.end = whenIn(found.end, undefined, page)?.start ?? start.end
    item.calendar.timeText = start.timeText
    item.calendar.timezone = page.timezone ?? null
    if (found.location !== undefined || found.address !== undefined)
      item.calendar.locations = [placeOf(found)]
    if (found.organizer !== undefined) item.calendar.organizer = textOf(found.organizer, 200)
    if (found.price !== undefined) item.calendar.price = textOf(found.price, 100)
    const text = textOf(block, 400)
    if (CANCELLED.test(text)) item.calendar.status = 'cancelled'
    else if (POSTPONED.test(text)) item.calendar.status = 'postponed'
  }
  return start === null && item.url === null ? null : item
}

interface When {
  start: string
  end: string | null
  timeText: string | null
}

function whenIn(date: Element | undefined, time: Element | undefined, page: Page): When | null {
  if (date === undefined) return null
  const machine = date.attribs['datetime'] ?? date.attribs['content'] ?? ''
  if (/^\d{4}-\d\d-\d\d/.test(machine))
    return machine.length === 10
      ? atHour(machine, textOf(time ?? date, 300))
      : { start: machine, end: null, timeText: null }
  const text = textOf(date, 300)
  const [written] = scanDates(text, languageOf(page))
  if (written === undefined) return null
  const ref = page.fetchedAt.toISOString().slice(0, 10)
  const year = resolveYears([], [{ line: { index: 0 }, written }], {
    ref,
    lang: null,
    pageText: '',
  })[0]
  if (year === undefined) return null
  const day = [year, written.month, written.day]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  return atHour(
    day,
    time === undefined ? text.slice(written.index + written.length) : textOf(time, 100),
  )
}

function atHour(day: string, text: string): When {
  const [clock] = findTimes(text)
  if (clock === undefined) return { start: day, end: null, timeText: null }
  const last = clock.end !== null && clock.end < clock.start ? dayAfter(day) : day
  return {
    start: `${day}T${clock.start}`,
    end: clock.end === null ? null : `${last}T${clock.end}`,
    timeText: text.slice(clock.index, clock.index + clock.length),
  }
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

function placeOf({ location, address, city, postalCode }: Fields): RawLocation {
  const text = (element: Element | undefined): string | null =>
    element === undefined ? null : textOf(element, 200) || null
  return {
    name: text(location),
    address: text(address),
    city: text(city),
    postalCode: text(postalCode),
    country: null,
    lat: null,
    lng: null,
  }
}

function provenanceOf(found: Fields, set: SelectorSet): Record<string, FieldOrigin> {
  const names: Record<string, string> = {
    date: 'start',
    location: 'locations',
    link: 'url',
    image: 'imageUrl',
  }
  const provenance: Record<string, FieldOrigin> = {}
  for (const field of FIELDS) {
    const element = found[field]
    if (element === undefined) continue
    provenance[names[field] ?? field] = {
      strategy: 'dom',
      path: `${set['container'] ?? ''} ${set[field] ?? ''}`,
      confidence: SELECTOR_CONFIDENCE,
      snippet: textOf(element, 160),
    }
  }
  return provenance
}

function ownLink(title: Element, block: Element): Element | undefined {
  let current: Element | null = title
  while (current !== null) {
    if (current.name === 'a') return current
    if (current === block) break
    current = current.parent !== null && isTag(current.parent) ? current.parent : null
  }
  return anchorIn(title) ?? anchorIn(block)
}

function anchorIn(element: Element): Element | undefined {
  return selectOne<AnyNode, Element>('a[href]', element.children) ?? undefined
}

function query(selector: string, nodes: AnyNode[], field: string, problems: string[]): Element[] {
  try {
    if (selector.length > MAX_SELECTOR_CHARS) throw new Error('selector too long')
    return selectAll<AnyNode, Element>(selector, nodes)
  } catch (error) {
    problems.push(`${field}: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

function queryOne(
  selector: string,
  block: Element,
  field: string,
  problems: string[],
): Element | null {
  return query(selector, [block], field, problems)[0] ?? null
}

import type { Element } from 'domhandler'
import type { Line, LineRange, PageLines } from './lines.ts'
import type { Mention } from './mentions.ts'
import { signatureOf } from './signature.ts'
import { cellOf } from './tables.ts'
import { parentOf } from './text-of.ts'
import { findTimes } from './time-scan.ts'

/** The lines of one block that tell about one event, and the dates in them. */
export interface DatedRecord extends LineRange {
  /** The element that is the block; null when the block is only a line or a piece of one. */
  root: Element | null
  mentions: Mention[]
  /** Only this part of the line belongs to it, when several dates share a line. */
  clip: { start: number; end: number } | null
  /** The whole page is about it. */
  isPage?: boolean
  /** Where the record stands, for grouping. */
  signature: string
}

interface Placed {
  line: Line
  signature: string
}

const MAX_UP = 60
const MAX_RECORD_LINES = 60
const MAX_FOLLOWING_LINES = 15

/**
 * Cuts the page into one block per date: from each date up to the largest element around it in which no other
 * date stands in the same kind of place. Dates that share such an element are one event. Where the blocks are
 * flat (a heading and loose paragraphs), the lines up to the next date are added.
 */
export function cutRecords(page: PageLines, mentions: Mention[]): DatedRecord[] {
  const roots = rootsOf(page, mentions)
  const byRoot = new Map<Element, DatedRecord>()
  const records: DatedRecord[] = []
  mentions.forEach((mention, at) => {
    const root = roots[at] ?? null
    const known = root === null ? undefined : byRoot.get(root)
    if (known !== undefined) {
      known.mentions.push(mention)
      return
    }
    const range = root === null ? undefined : page.ranges.get(root)
    const record: DatedRecord = {
      root,
      from: range?.from ?? mention.line.index,
      to: range?.to ?? mention.line.index + 1,
      mentions: [mention],
      clip: null,
      signature: mention.signature,
    }
    records.push(record)
    if (root !== null) byRoot.set(root, record)
  })
  records.sort((a, b) => a.from - b.from)
  clipSharedLines(records)
  return extend(page, joinDatedHeadings(records))
}

/** Blocks for things that stand under one date and differ only by their hour. */
export function cutByTime(page: PageLines, record: DatedRecord): LineRange[] {
  if (record.to - record.from < 3 || record.clip !== null) return []
  const placed: Placed[] = []
  for (let at = record.from; at < record.to; at += 1) {
    const line = page.lines[at]
    if (line === undefined || record.mentions.some((mention) => mention.line === line)) continue
    const time = findTimes(line.text)[0]
    if (time === undefined || time.index > 2) continue
    placed.push({ line, signature: signatureOf(line.block) })
  }
  const signature = placed[0]?.signature
  const same = placed.filter((item) => item.signature === signature)
  const blocks = new Set(same.map((item) => item.line.block))
  if (same.length < 2 || blocks.size !== same.length) return []
  const roots = rootsOf(page, same)
  return same.map(({ line }, at) => {
    const range =
      roots[at] === null || roots[at] === undefined ? undefined : page.ranges.get(roots[at])
    const next = same[at + 1]?.line.index ?? record.to
    return {
      from: range?.from ?? line.index,
      to: Math.max(range?.to ?? 0, Math.min(next, line.index + 6)),
    }
  })
}

function rootsOf(page: PageLines, items: Placed[]): Array<Element | null> {
  const seen = new Map<Element, Set<string>>()
  const crowded = new Set<Element>()
  for (const { line, signature } of items) {
    let current: Element | null = line.block
    for (let step = 0; step < MAX_UP && current !== null; step += 1) {
      const signatures = seen.get(current)
      if (signatures === undefined) seen.set(current, new Set([signature]))
      else if (signatures.has(signature)) crowded.add(current)
      else signatures.add(signature)
      current = parentOf(current)
    }
  }
  return items.map(({ line }) => {
    let root: Element | null = null
    let current: Element | null = line.block
    for (let step = 0; step < MAX_UP && current !== null; step += 1) {
      if (crowded.has(current) || !isBlock(page, current)) break
      root = current
      current = parentOf(current)
    }
    return root
  })
}

function isBlock(page: PageLines, element: Element): boolean {
  if (['html', 'body', 'main'].includes(element.name)) return false
  const range = page.ranges.get(element)
  return range === undefined || range.to - range.from <= MAX_RECORD_LINES
}

// "Jan. 5 · Feb. 9 · Mar. 8" in one line: each date owns the text up to the next.
function clipSharedLines(records: DatedRecord[]): void {
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at]
    const line = record?.mentions[0]?.line
    if (record === undefined || line === undefined || record.root !== null) continue
    const before = records[at - 1]?.mentions[0]
    const after = records[at + 1]?.mentions[0]
    const sharesBefore = before?.line === line
    const sharesAfter = after?.line === line
    if (!sharesBefore && !sharesAfter) continue
    record.clip = {
      start: sharesBefore ? (record.mentions[0]?.index ?? 0) : 0,
      end: sharesAfter ? after.index : line.text.length,
    }
  }
}

// A dated heading followed by one dated paragraph is one event told twice.
function joinDatedHeadings(records: DatedRecord[]): DatedRecord[] {
  const joined: DatedRecord[] = []
  for (const [at, record] of records.entries()) {
    const next = records[at + 1]
    const head = joined.at(-1)
    const headLine = head?.mentions[0]?.line
    const line = record.mentions[0]?.line
    const canJoin =
      head !== undefined &&
      headLine !== undefined &&
      line !== undefined &&
      head.signature !== record.signature &&
      (headLine.heading > 0 || headLine.strong) &&
      line.heading === 0 &&
      head.clip === null &&
      record.clip === null &&
      record.from - head.to < 6 &&
      head.mentions.length === 1 &&
      (head.mentions[0]?.date === record.mentions[0]?.date ||
        next === undefined ||
        next.signature === head.signature) &&
      sameContainer(head, record)
    if (canJoin && head !== undefined) {
      head.mentions.push(...record.mentions)
      head.to = Math.max(head.to, record.to)
      head.root = null
    } else joined.push(record)
  }
  return joined
}

function sameContainer(a: DatedRecord, b: DatedRecord): boolean {
  const outer = (record: DatedRecord): Element | null => {
    const element = record.root ?? record.mentions[0]?.line.block ?? null
    return element === null ? null : parentOf(element)
  }
  return outer(a) !== null && outer(a) === outer(b)
}

function extend(page: PageLines, records: DatedRecord[]): DatedRecord[] {
  records.forEach((record, at) => {
    takeOwnHeading(page, records, at)
    const first = record.mentions[0]?.line
    if (first === undefined || record.clip !== null || record.to - record.from > 8) return
    if (record.root !== null && ['tr', 'td', 'li', 'article'].includes(record.root.name)) return
    const next = records[at + 1]?.from ?? Infinity
    const limit = Math.min(next, containerEnd(page, record), record.to + MAX_FOLLOWING_LINES)
    const ownHeading = first.heading > 0 ? first.heading : 7
    while (record.to < limit) {
      const line = page.lines[record.to]
      if (line === undefined || (line.heading > 0 && line.heading <= ownHeading)) break
      if (
        ownHeading === 7 &&
        line.heading === 0 &&
        line.strong &&
        startsNextBlock(page, record.to, next)
      )
        break
      record.to += 1
    }
  })
  return records
}

// A heading over one date only is the name of that date's event.
function takeOwnHeading(page: PageLines, records: DatedRecord[], at: number): void {
  const record = records[at]
  const above = record === undefined ? undefined : page.lines[record.from - 1]
  if (record === undefined || above === undefined || record.clip !== null) return
  if (above.heading < 2 || (records[at - 1]?.to ?? 0) > above.index) return
  const next = records[at + 1]?.from ?? page.lines.length
  for (let line = record.to; line < Math.min(next, record.to + 40); line += 1) {
    const heading = page.lines[line]?.heading ?? 0
    if (heading > 0 && heading <= above.heading) {
      record.from = above.index
      return
    }
  }
}

// The bold line right above the next date is that date's title.
function startsNextBlock(page: PageLines, at: number, next: number): boolean {
  return at + 1 === next && page.lines[at]?.zone === 'main'
}

function containerEnd(page: PageLines, record: DatedRecord): number {
  const block = record.mentions[0]?.line.block
  if (block === undefined) return record.to
  const own = record.root ?? block
  const outer = record.root === null ? block : parentOf(own)
  const cell = cellOf(block)?.cell
  const holder =
    record.root === null && page.ranges.get(block)?.to === record.to ? parentOf(block) : outer
  const end = holder === null ? record.to : (page.ranges.get(holder)?.to ?? record.to)
  return cell === undefined ? end : Math.min(end, page.ranges.get(cell)?.to ?? end)
}

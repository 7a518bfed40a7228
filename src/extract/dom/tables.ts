import { isTag, type Element } from 'domhandler'
import { parentOf, textOf } from './text-of.ts'

export type ColumnRole = 'date' | 'time' | 'title' | 'place' | 'document' | 'deadline' | null

export interface Cell {
  cell: Element
  row: Element
  table: Element
  column: number
}

const MAX_UP = 12

/** The table cell an element stands in, unless the table is only there to lay out the page. */
export function cellOf(element: Element): Cell | null {
  const cell = up(element, (name) => name === 'td' || name === 'th')
  if (cell === null) return null
  const row = up(cell, (name) => name === 'tr')
  const table = row === null ? null : up(row, (name) => name === 'table')
  return row === null || table === null ? null : { cell, row, table, column: columnOf(cell, row) }
}

/** The cell's row has other cells too. */
export function sharesRow({ cell, row }: Cell): boolean {
  return row.children.some((other) => isTag(other) && other !== cell)
}

/** What each column of a table holds, by its header row. */
export function columnRoles(table: Element, cache: Map<Element, ColumnRole[]>): ColumnRole[] {
  const known = cache.get(table)
  if (known !== undefined) return known
  const header = headerRow(table)
  const roles = header === null ? [] : spread(header).map((cell) => roleOf(textOf(cell)))
  cache.set(table, roles)
  return roles
}

function roleOf(header: string): ColumnRole {
  const text = header.trim().toLowerCase().slice(0, 80)
  if (
    /deadline|due|filing|submission|submit|posted|published|inspection|geplaatst|uiterlijk|aanlever/.test(
      text,
    )
  )
    return 'deadline'
  if (
    /\b(?:agendas?|minutes|packets?|video|audio|downloads?|attachments?|notulen|stukken|verslag)\b/.test(
      text,
    )
  )
    return 'document'
  if (/\b(?:date|dates|datum|data|when|wanneer|dag|day|termin|jour)\b/.test(text)) return 'date'
  if (/\b(?:time|tijd|aanvang|uur|uhrzeit|heure|hours?)\b/.test(text)) return 'time'
  if (
    /\b(?:location|place|where|venue|room|address|locatie|waar|plaats|zaal|ort|lieu)\b/.test(text)
  )
    return 'place'
  if (
    /\b(?:events?|meetings?|name|title|subject|what|body|committee|activity|description|type|titel|naam|omschrijving|onderwerp|activiteit|evenement|wat|voorstelling|veranstaltung|titre|événement)\b/.test(
      text,
    )
  )
    return 'title'
  return null
}

function headerRow(table: Element): Element | null {
  const rows = rowsOf(table, 4)
  return (
    rows.find(
      (row) => cellsOf(row).length > 1 && cellsOf(row).every((cell) => cell.name === 'th'),
    ) ??
    rows.find(
      (row) =>
        cellsOf(row).filter((cell) => roleOf(textOf(cell)) !== null).length > 1 &&
        !/\d{4}.*\d{4}/s.test(textOf(row)),
    ) ??
    null
  )
}

function rowsOf(table: Element, limit: number): Element[] {
  const rows: Element[] = []
  for (const child of table.children) {
    if (!isTag(child)) continue
    if (child.name === 'tr') rows.push(child)
    else if (child.name === 'thead' || child.name === 'tbody')
      rows.push(
        ...child.children
          .filter(isTag)
          .filter((row) => row.name === 'tr')
          .slice(0, limit),
      )
    if (rows.length >= limit) break
  }
  return rows.slice(0, limit)
}

function cellsOf(row: Element): Element[] {
  return row.children.filter(isTag).filter((cell) => cell.name === 'td' || cell.name === 'th')
}

function spread(row: Element): Element[] {
  return cellsOf(row).flatMap((cell) => Array.from({ length: spanOf(cell) }, () => cell))
}

function columnOf(cell: Element, row: Element): number {
  const known = columns.get(row)
  if (known !== undefined) return known.get(cell) ?? 0
  const inRow = new Map<Element, number>()
  let column = 0
  for (const other of cellsOf(row)) {
    inRow.set(other, column)
    column += spanOf(other)
  }
  columns.set(row, inRow)
  return inRow.get(cell) ?? 0
}

// Counted once per row: hostile tables have rows of many thousand cells.
const columns = new WeakMap<Element, Map<Element, number>>()

function spanOf(cell: Element): number {
  const span = Number(cell.attribs['colspan'] ?? 1)
  return Number.isInteger(span) && span > 0 && span < 50 ? span : 1
}

function up(element: Element, wanted: (name: string) => boolean): Element | null {
  let current: Element | null = element
  for (let step = 0; step < MAX_UP && current !== null; step += 1) {
    if (wanted(current.name)) return current
    current = parentOf(current)
  }
  return null
}

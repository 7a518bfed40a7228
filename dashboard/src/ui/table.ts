export interface Column {
  key: string
  title: string
  /** A CSS grid track: '7rem', 'minmax(12rem, 2fr)'. */
  width: string
  sortable?: boolean
  alignEnd?: boolean
  /** Shown only when the page is at least this wide. */
  from?: number
}

/** A list of the API; `name` starts its query key, so that actions can refetch it. */
export interface ListOf<Row> {
  name: string
  path: string
  /** Never set: it tells the compiler what the rows are. */
  readonly row?: Row
}

export function listOf<Row>(name: string, path: string): ListOf<Row> {
  return { name, path }
}

/** What a cell shows when the page has nothing better. */
export function plainCell(row: object, column: Column): string {
  const value = (row as Record<string, unknown>)[column.key]
  if (value === null || value === undefined) return column.title === '' ? '' : '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

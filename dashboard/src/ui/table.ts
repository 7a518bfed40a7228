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

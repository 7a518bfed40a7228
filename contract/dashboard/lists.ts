export interface OffsetPage<Row> {
  data: Row[]
  total: number
  limit?: number
  offset?: number
}

export interface CursorPage<Row> {
  data: Row[]
  total?: number
  next_cursor?: string | null
}

export interface BulkResult {
  id: string
  ok: boolean
  error?: string
}

export interface BulkAnswer {
  results: BulkResult[]
}

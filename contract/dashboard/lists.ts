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
  /** A source; the jobs endpoint names the job instead. */
  id?: string
  job_id?: string
  source_id?: string
  ok: boolean
  error?: string | null
}

export interface BulkAnswer {
  results: BulkResult[]
}

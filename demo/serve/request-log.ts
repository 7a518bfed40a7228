export interface LoggedRequest {
  site: string
  /** Milliseconds since the epoch, at arrival. */
  at: number
  method: string
  path: string
  userAgent: string
  /** Null while the answer is under way. */
  status: number | null
}

/** Every request but those to control paths, oldest first; the oldest fall out when it is full. */
export interface RequestLog {
  readonly entries: readonly LoggedRequest[]
  of(site: string): LoggedRequest[]
  add(request: LoggedRequest): LoggedRequest
  clear(site?: string): void
}

export function createRequestLog(capacity = 100_000): RequestLog {
  let entries: LoggedRequest[] = []
  return {
    get entries() {
      return entries
    },
    of: (site) => entries.filter((entry) => entry.site === site),
    add(request) {
      // Dropping a tenth at a time keeps adding cheap.
      if (entries.length >= capacity) entries = entries.slice(Math.ceil(capacity / 10))
      entries.push(request)
      return request
    },
    clear(site) {
      entries = site === undefined ? [] : entries.filter((entry) => entry.site !== site)
    },
  }
}

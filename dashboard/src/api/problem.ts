export interface FieldError {
  field: string
  message: string
}

/** Any answer that is not a success; `detail` and `errors` come from RFC 9457 problem JSON. */
export class ApiError extends Error {
  readonly status: number
  readonly detail: string
  readonly errors: FieldError[]
  readonly allowedActions: string[]

  constructor(status: number, body: unknown) {
    const problem = isRecord(body) ? body : {}
    const detail = text(problem['detail']) ?? text(problem['title']) ?? `HTTP ${status}`
    super(detail)
    this.name = 'ApiError'
    this.status = status
    this.detail = detail
    this.errors = fieldErrors(problem['errors'])
    const actions = problem['allowed_actions']
    this.allowedActions = Array.isArray(actions) ? actions.map(String) : []
  }
}

/** The server could not be reached at all. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached', { cause })
    this.name = 'Unreachable'
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 501)
}

function fieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return []
  return value.filter(isRecord).map((entry) => ({
    field: text(entry['field']) ?? text(entry['path']) ?? text(entry['pointer']) ?? '',
    message: text(entry['message']) ?? text(entry['detail']) ?? '',
  }))
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

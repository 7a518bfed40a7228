import { ApiError, Unreachable } from './problem.ts'

export type Query = Record<string, string | number | boolean | null | undefined>

interface Options {
  query?: Query
  body?: unknown
  file?: Blob
  signal?: AbortSignal
  headers?: Record<string, string>
}

interface Listeners {
  unauthorized(): void
  reachable(answered: boolean): void
}

let listeners: Listeners = { unauthorized: () => {}, reachable: () => {} }

export function onApi(next: Listeners): void {
  listeners = next
}

export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) =>
    request<T>('GET', path, { ...(query && { query }), ...(signal && { signal }) }),
  post: <T>(path: string, body: unknown = {}) => request<T>('POST', path, { body }),
  put: <T>(path: string, body: unknown) => request<T>('PUT', path, { body }),
  /** With a version the write is refused when somebody else wrote in between. */
  patch: <T>(path: string, body: unknown, version?: number) =>
    request<T>('PATCH', path, {
      body,
      ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
    }),
  delete: <T>(path: string) => request<T>('DELETE', path, {}),
  upload: <T>(path: string, query: Query, file: Blob) => request<T>('POST', path, { query, file }),
}

async function request<T>(method: string, path: string, options: Options): Promise<T> {
  const response = await send(method, path, options)
  const body = await readBody(response)
  // Not being ready is an answer too: it lists the reasons.
  if (response.ok || (path === '/ready' && body !== null)) return body as T
  const error = new ApiError(response.status, body)
  // A wrong password also answers 401; only a lost session sends people to the login page.
  if (response.status === 401 && !path.startsWith('/api/v1/auth/')) listeners.unauthorized()
  throw error
}

async function send(method: string, path: string, options: Options): Promise<Response> {
  const hasBody = options.body !== undefined
  const { file } = options
  try {
    const response = await fetch(path + queryString(options.query), {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(file && { 'content-type': file.type || 'application/octet-stream' }),
        ...options.headers,
      },
      ...(hasBody && { body: JSON.stringify(options.body) }),
      ...(file && { body: file }),
      ...(options.signal && { signal: options.signal }),
    })
    // A 503 of our own explains itself (the database is away); a proxy's 502 or 504 means nobody is home.
    const away = response.status === 502 || response.status === 504
    listeners.reachable(!away)
    if (away) throw new Unreachable(response.status)
    return response
  } catch (cause) {
    if (cause instanceof Unreachable) throw cause
    if (options.signal?.aborted === true) throw cause
    listeners.reachable(false)
    throw new Unreachable(cause)
  }
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function queryString(query: Query | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  return search.size === 0 ? '' : `?${search}`
}

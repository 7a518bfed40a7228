import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  isResponseSerializationError,
} from 'fastify-type-provider-zod'
import { codeOf } from '../kernel/errors.ts'

export interface FieldError {
  field: string
  message: string
}

/** An answer that is an error, as RFC 9457 describes it. Thrown by handlers, written by one place. */
export class Problem extends Error {
  readonly status: number
  readonly title: string
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>
  constructor(
    status: number,
    title: string,
    detail: string,
    extra: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(detail)
    this.name = 'Problem'
    this.status = status
    this.title = title
    this.extra = extra
    this.headers = headers
  }
}

export function problem(
  status: number,
  title: string,
  detail: string,
  extra: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Problem {
  return new Problem(status, title, detail, extra, headers)
}

export function notFound(what: string, id: string): Problem {
  return new Problem(404, 'Not found', `There is no ${what} ${id}.`)
}

export function invalid(errors: FieldError[]): Problem {
  const detail = errors.map((error) => `${error.field}: ${error.message}`).join('; ')
  return new Problem(400, 'Invalid request', detail, { errors })
}

/** The one error handler of the API. What the caller did wrong is info; what we did wrong is an error. */
export function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const answer = toProblem(error)
  if (answer.status >= 500) request.log.error({ err: error }, 'request failed')
  else request.log.info({ status: answer.status, reason: answer.message }, 'request refused')
  return sendProblem(reply, answer)
}

export function sendProblem(reply: FastifyReply, answer: Problem): FastifyReply {
  return reply
    .code(answer.status)
    .headers(answer.headers)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send({
      type: 'about:blank',
      title: answer.title,
      status: answer.status,
      detail: answer.message,
      instance: reply.request.url.split('?')[0],
      request_id: reply.request.id,
      ...answer.extra,
    })
}

function toProblem(error: FastifyError): Problem {
  if (error instanceof Problem) return error
  if (hasZodFastifySchemaValidationErrors(error)) return invalid(fieldErrors(error))
  if (isResponseSerializationError(error)) {
    return new Problem(500, 'Internal error', 'The answer did not have its documented form.')
  }
  const known = byCode[error.code]
  if (known !== undefined) return known
  if (isDatabaseOutage(error)) {
    return new Problem(
      503,
      'Database unavailable',
      'The database cannot be reached; try again.',
      {},
      { 'retry-after': '2' },
    )
  }
  const status = error.statusCode ?? 500
  if (status < 500) return new Problem(status, 'Request refused', error.message)
  return new Problem(
    500,
    'Internal error',
    'Something went wrong here; the request id finds it in the log.',
  )
}

const byCode: Record<string, Problem> = {
  FST_ERR_CTP_INVALID_JSON_BODY: new Problem(
    400,
    'Malformed JSON',
    'The request body is not valid JSON.',
  ),
  FST_ERR_CTP_EMPTY_JSON_BODY: new Problem(400, 'Malformed JSON', 'The request body is empty.'),
  FST_ERR_CTP_BODY_TOO_LARGE: new Problem(
    413,
    'Body too large',
    'The request body is larger than allowed.',
  ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Problem(
    415,
    'Unsupported media type',
    'Send application/json.',
  ),
}

function fieldErrors(error: {
  validation: { instancePath: string; message?: string | undefined }[]
}): FieldError[] {
  return error.validation.map((entry) => ({
    field: entry.instancePath.replace(/^\//, '').replaceAll('/', '.') || 'body',
    message: entry.message ?? 'is not valid',
  }))
}

function isDatabaseOutage(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  return [
    'ECONNREFUSED',
    'ECONNRESET',
    'CONNECTION_CLOSED',
    'CONNECTION_ENDED',
    'CONNECT_TIMEOUT',
    '57P01',
    '57P03',
  ].includes(code)
}

import { z } from 'zod'
import {
  countDeadLetters,
  deadLetterStatuses,
  discardDeadLetter,
  getDeadLetter,
  listDeadLetters,
  type DeadLetter,
} from '../../deadletters/store.ts'
import { retryChosen } from '../../flows/refine/retry-dead-letters.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { invalid, notFound, problem } from '../problem.ts'
import { idParams } from './item-query.ts'

const tags = ['dead letters']
const config = { role: 'operator' as const }
const letterRow = z.looseObject({ id: z.string(), stage: z.string(), status: z.string() })
const filterQuery = z.object({
  stage: z.string().max(50).optional(),
  error_type: z.string().max(50).optional(),
  source_id: z.uuid().optional(),
})

export function deadLetterRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/dead-letters',
    {
      schema: {
        summary: 'Work that failed, newest first',
        tags,
        querystring: pageQuery.extend({
          ...filterQuery.shape,
          status: z.enum(deadLetterStatuses).optional(),
        }),
        response: { 200: pageShape(letterRow) },
      },
    },
    async (request) => {
      const { limit, offset, status, ...filter } = request.query
      const { rows, total } = await listDeadLetters(
        sql,
        { status, ...filterOf(filter) },
        { limit, offset },
      )
      return { data: rows.map(toJson), total, limit, offset }
    },
  )

  api.get(
    '/api/v1/dead-letters/summary',
    {
      schema: {
        summary: 'Open dead letters by stage and reason',
        tags,
        response: {
          200: z.object({
            data: z.array(
              z.object({ stage: z.string(), error_type: z.string(), count: z.number() }),
            ),
          }),
        },
      },
    },
    async () => ({
      data: (await countDeadLetters(sql)).map(({ stage, errorType, count }) => ({
        stage,
        error_type: errorType,
        count,
      })),
    }),
  )

  api.get(
    '/api/v1/dead-letters/:id',
    {
      schema: {
        summary: 'One dead letter with everything needed to retry it',
        tags,
        params: idParams,
        response: { 200: letterRow },
      },
    },
    async (request) =>
      toJson(found(await getDeadLetter(sql, request.params.id), request.params.id)),
  )

  api.post(
    '/api/v1/dead-letters/:id/retry',
    {
      config,
      schema: { summary: 'Try it again now', tags, params: idParams, response: { 200: letterRow } },
    },
    async (request) => {
      const { id } = request.params
      const letter = found(await getDeadLetter(sql, id), id)
      if (letter.status !== 'pending')
        throw problem(409, 'Not waiting', `The dead letter is ${letter.status}.`, {
          allowed_from: ['pending'],
        })
      const [retried] = await retryChosen({ sql, clock }, { ids: [id] })
      return toJson(retried ?? letter)
    },
  )

  api.post(
    '/api/v1/dead-letters/retry',
    {
      config,
      schema: {
        summary: 'Try all again that match; an empty filter matches nothing',
        tags,
        body: filterQuery,
        response: { 200: z.object({ retried: z.number() }) },
      },
    },
    async (request) => {
      const filter = filterOf(request.body)
      if (Object.values(filter).every((value) => value === undefined))
        throw invalid([{ field: 'body', message: 'name a stage, an error_type or a source_id' }])
      return { retried: (await retryChosen({ sql, clock }, { filter })).length }
    },
  )

  api.post(
    '/api/v1/dead-letters/:id/discard',
    {
      config,
      schema: {
        summary: 'Close it without a retry',
        tags,
        params: idParams,
        body: z.object({ note: z.string().max(1000).optional() }).nullish(),
        response: { 200: letterRow },
      },
    },
    async (request) => {
      const { id } = request.params
      const letter = found(await getDeadLetter(sql, id), id)
      const discarded = await discardDeadLetter(sql, id, request.body?.note ?? null, clock.now())
      if (discarded === null)
        throw problem(409, 'Already closed', `The dead letter is ${letter.status}.`, {
          allowed_from: ['pending', 'retrying'],
        })
      return toJson(discarded)
    },
  )
}

function filterOf(query: z.infer<typeof filterQuery>) {
  return { stage: query.stage, errorType: query.error_type, sourceId: query.source_id }
}

function found(letter: DeadLetter | null, id: string): DeadLetter {
  if (letter === null) throw notFound('dead letter', id)
  return letter
}

function toJson(letter: DeadLetter): z.infer<typeof letterRow> {
  return {
    id: letter.id,
    job_id: letter.jobId,
    source_id: letter.sourceId,
    source_name: letter.sourceName,
    stage: letter.stage,
    subject: letter.subject,
    error_type: letter.errorType,
    error_message: letter.errorMessage,
    error_stack: letter.errorStack,
    payload: letter.payload,
    retry_count: letter.retryCount,
    max_retries: letter.maxRetries,
    next_retry_at: letter.nextRetryAt,
    status: letter.status,
    resolved_at: letter.resolvedAt,
    resolution_notes: letter.resolutionNotes,
    created_at: letter.createdAt,
  }
}

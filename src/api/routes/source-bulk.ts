import { z } from 'zod'
import { patchSources, removeSources, type ChangeResult } from '../../sources/change.ts'
import { sourcePatch } from '../../sources/fields.ts'
import type { Source } from '../../sources/source.ts'
import { findSources } from '../../sources/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { changeOptions } from './sources.ts'

const ids = z
  .array(z.uuid())
  .min(1)
  .max(10_000)
  .transform((list) => [...new Set(list)])
const common = { ids, dry_run: z.boolean().default(false) }
const bulkBody = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('enable'), ...common }),
  z.strictObject({
    action: z.literal('disable'),
    ...common,
    reason: z.string().trim().min(1).max(500),
  }),
  z.strictObject({
    action: z.literal('delete'),
    ...common,
    reason: z.string().trim().max(200).default('user_requested'),
  }),
  z.strictObject({
    action: z.literal('patch'),
    ...common,
    patch: sourcePatch.omit({ url: true, name: true }),
  }),
  z.strictObject({
    action: z.literal('tag'),
    ...common,
    add: z.array(z.string().trim().min(1).max(60)).default([]),
    remove: z.array(z.string().trim().min(1).max(60)).default([]),
  }),
])

const rowResult = z.object({
  id: z.string(),
  ok: z.boolean(),
  changed: z.array(z.string()).optional(),
  error: z.string().optional(),
})
const bulkResult = z.object({
  action: z.string(),
  dry_run: z.boolean(),
  succeeded: z.number(),
  failed: z.number(),
  results: z.array(rowResult),
})

export function sourceBulkRoutes(api: Api, context: ApiContext): void {
  const { sql } = context

  api.post(
    '/api/v1/sources/bulk',
    {
      config: { role: 'operator' },
      schema: {
        summary: 'Change many sources at once, with a result for each',
        tags: ['sources'],
        body: bulkBody,
        response: { 200: bulkResult },
      },
    },
    async (request) => {
      const { body } = request
      const options = changeOptions(context, request)
      if (body.dry_run) return summarize(body.action, true, await preview(body))
      if (body.action === 'delete') {
        const gone = new Set(await removeSources(sql, body.ids, body.reason, options))
        return summarize(
          body.action,
          false,
          body.ids.map((id) => ({
            id,
            ok: gone.has(id),
            ...(!gone.has(id) && { error: 'there is no such source' }),
          })),
        )
      }
      const results = await patchSources(sql, body.ids, (source) => patchFor(body, source), options)
      return summarize(
        body.action,
        false,
        [...results].map(([id, result]) => toRow(id, result)),
      )
    },
  )

  async function preview(body: z.infer<typeof bulkBody>): Promise<z.infer<typeof rowResult>[]> {
    const found = new Map((await findSources(sql, body.ids)).map((source) => [source.id, source]))
    return body.ids.map((id) => {
      const source = found.get(id)
      if (source === undefined) return { id, ok: false, error: 'there is no such source' }
      if (body.action === 'delete') return { id, ok: true, changed: ['deleted'] }
      const patch = patchFor(body, source)
      const changed = Object.entries(patch).filter(
        ([field, value]) => JSON.stringify(source[field as keyof Source]) !== JSON.stringify(value),
      )
      return { id, ok: true, changed: changed.map(([field]) => field) }
    })
  }
}

function patchFor(body: z.infer<typeof bulkBody>, source: Source): Partial<Source> {
  switch (body.action) {
    case 'enable':
      return { enabled: true }
    case 'disable':
      return { enabled: false, disabled_reason: body.reason }
    case 'tag':
      return {
        tags: [...new Set([...source.tags, ...body.add])].filter(
          (tag) => !body.remove.includes(tag),
        ),
      }
    case 'patch':
      return Object.fromEntries(
        Object.entries(body.patch).filter(([, value]) => value !== undefined),
      )
    default:
      return {}
  }
}

function toRow(id: string, result: ChangeResult): z.infer<typeof rowResult> {
  return result.ok
    ? { id, ok: true, changed: result.changed }
    : { id, ok: false, error: 'there is no such source' }
}

function summarize(
  action: string,
  dry_run: boolean,
  results: z.infer<typeof rowResult>[],
): z.infer<typeof bulkResult> {
  const succeeded = results.filter((row) => row.ok).length
  return { action, dry_run, succeeded, failed: results.length - succeeded, results }
}

import { Readable } from 'node:stream'
import { z } from 'zod'
import { openArchive } from '../../archive/open.ts'
import { findPage, listPages, type PageRow } from '../../crawl/page-list.ts'
import { getRun } from '../../runs/history.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { notFound, problem } from '../problem.ts'
import { version } from '../version.ts'

const pageRow = z.looseObject({
  id: z.string(),
  source_id: z.string(),
  run_id: z.string(),
  url: z.string(),
  final_url: z.string(),
  outcome: z.string(),
  fetched_at: z.date(),
})
const pageParams = z.object({ id: z.string().regex(/^\d{1,18}$/, 'is not a page id') })
const tags = ['pages']

/** What was fetched, its bodies, and whole runs as WARC. */
export function pageRoutes(api: Api, { sql, config }: ApiContext): void {
  const archive = openArchive(config, sql)

  api.get(
    '/api/v1/pages',
    {
      schema: {
        summary: 'List fetched pages',
        tags,
        querystring: pageQuery.extend({
          source_id: z.uuid().optional(),
          run_id: z.uuid().optional(),
          outcome: z.enum(['fetched', 'unchanged', 'failed']).optional(),
          reason: z.string().max(100).optional(),
          from: z.iso.datetime({ offset: true }).optional().describe('fetched at or after'),
          to: z.iso.datetime({ offset: true }).optional().describe('fetched before'),
        }),
        response: { 200: pageShape(pageRow) },
      },
    },
    async (request) => {
      const { limit, offset, ...filter } = request.query
      const { rows, total } = await listPages(sql, filter, { limit, offset })
      return { data: rows.map((row) => ({ ...row })), total, limit, offset }
    },
  )

  api.get(
    '/api/v1/pages/:id',
    {
      schema: { summary: 'One fetched page', tags, params: pageParams, response: { 200: pageRow } },
    },
    async (request) => ({ ...(await pageOr404(request.params.id)) }),
  )

  api.get(
    '/api/v1/pages/:id/body',
    { schema: { summary: 'The body of a page as it was received', tags, params: pageParams } },
    async (request, reply) => {
      const page = await pageOr404(request.params.id)
      const body = page.content_hash === null ? null : await archive.get(page.content_hash)
      if (body === null)
        throw problem(404, 'Not kept', 'The body of this page is not in the archive any more.')
      // Somebody else's markup must not run under our address.
      return reply
        .header('content-type', page.content_type ?? 'application/octet-stream')
        .header('content-disposition', `attachment; filename="page-${page.id}"`)
        .header('content-security-policy', 'sandbox')
        .header('x-content-type-options', 'nosniff')
        .send(Buffer.from(body))
    },
  )

  api.get(
    '/api/v1/runs/:id/warc',
    { schema: { summary: 'A run as WARC', tags, params: z.object({ id: z.uuid() }) } },
    async (request, reply) => {
      const { id } = request.params
      if ((await getRun(sql, id)) === null) throw notFound('run', id)
      const { exportWarc } = await import('../../flows/export-warc.ts')
      const records = exportWarc({ db: sql, archive, software: `Millrace ${version}` }, id)
      return reply
        .header('content-type', 'application/warc')
        .header('content-disposition', `attachment; filename="${id}.warc.gz"`)
        .send(Readable.from(records))
    },
  )

  async function pageOr404(id: string): Promise<PageRow> {
    const page = await findPage(sql, id)
    if (page === null) throw notFound('page', id)
    return page
  }
}

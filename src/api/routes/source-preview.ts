import PQueue from 'p-queue'
import { z } from 'zod'
import type { PreviewTools } from '../../flows/preview/open-tools.ts'
import { findByAddress, sourceIdentity } from '../../sources/store.ts'
import type { Api, ApiContext } from '../context.ts'
import { problem } from '../problem.ts'
import { describePreview, previewShape } from './source-preview-shape.ts'
import { refusePrivate } from './sources.ts'

/** Each takes a thread and perhaps a browser for some seconds. */
const atOnce = 2
const mostWaiting = 10

/** What an address would be as a source: for the person who is about to add it. */
export function sourcePreviewRoutes(api: Api, context: ApiContext): void {
  const { sql } = context
  const turns = new PQueue({ concurrency: atOnce })
  // Made by the first question: most processes are never asked.
  let tools: Promise<PreviewTools> | null = null
  const open = async (): Promise<PreviewTools> =>
    (await import('../../flows/preview/open-tools.ts')).openPreviewTools(context)
  api.addHook('onClose', async () => {
    turns.clear()
    await (await tools)?.close()
  })

  api.post(
    '/api/v1/sources/preview',
    {
      config: { role: 'operator' },
      schema: {
        summary:
          'Look at an address before it becomes a source: strategies side by side, robots, feeds, settings',
        tags: ['sources'],
        body: z.strictObject({
          url: z
            .url({ protocol: /^https?$/, error: 'must be a full http:// or https:// address' })
            .max(2000),
        }),
        response: { 200: previewShape },
      },
    },
    async (request) => {
      const { url } = request.body
      refusePrivate(context, url)
      if (turns.size >= mostWaiting)
        throw problem(
          429,
          'Busy',
          'Many previews are being made; try again in a moment.',
          {},
          { 'retry-after': '10' },
        )
      tools ??= open()
      const { preview: look } = await tools
      const [preview, known] = await Promise.all([
        turns.add(() => look(url)),
        findByAddress(sql, [sourceIdentity(url)?.url_key ?? '']),
      ])
      const [existing] = known
      return describePreview(
        preview,
        existing === undefined ? null : { id: existing.id, name: existing.name },
      )
    },
  )
}

import { z } from 'zod'
import { checkImport, type CheckedImport } from '../../sources/import/check.ts'
import {
  UnreadableFile,
  guessFormat,
  importFormats,
  readImport,
} from '../../sources/import/read.ts'
import {
  exportFormats,
  exportHeading,
  exportPage,
  exportTail,
  exportTypes,
} from '../../sources/export.ts'
import { ImportConflict, importSources } from '../../sources/change.ts'
import { eachSource } from '../../sources/list.ts'
import { findByAddress, sourceIdentity } from '../../sources/store.ts'
import { Readable } from 'node:stream'
import type { Api, ApiContext } from '../context.ts'
import { problem } from '../problem.ts'
import { changeOptions, privateReason, sourceQuery } from './sources.ts'

const largestFile = 50 * 1024 * 1024
const fileTypes = [
  'text/csv',
  'text/plain',
  'application/xml',
  'text/xml',
  'text/x-opml',
  'application/octet-stream',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]
const rowError = z.object({ line: z.number(), field: z.string(), message: z.string() })
const importResult = z.object({
  preview: z.boolean(),
  format: z.enum(importFormats),
  rows: z.number(),
  valid: z.number(),
  created: z.number(),
  errors: z.array(rowError),
  unknown_columns: z.array(z.object({ column: z.string(), did_you_mean: z.string().nullable() })),
  sample: z.array(z.object({ line: z.number(), name: z.string(), url: z.string() })),
})
const sampleRows = 20
const shownErrors = 500

export function sourceFileRoutes(api: Api, context: ApiContext): void {
  const { sql } = context

  void api.register(async (scope) => {
    // Files arrive as they are, JSON included: the reader names the row that is wrong.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      [...fileTypes, 'application/json'],
      { parseAs: 'buffer', bodyLimit: largestFile },
      (_request, body, done) => done(null, body),
    )
    ;(scope as Api).post(
      '/api/v1/sources/import',
      {
        config: { role: 'operator' },
        bodyLimit: largestFile,
        schema: {
          summary:
            'Import a CSV, XLSX, OPML or JSON file: all rows or none; preview=true only checks',
          tags: ['sources'],
          querystring: z.object({
            preview: z.stringbool().default(false),
            format: z.enum(importFormats).optional(),
          }),
          response: { 200: importResult, 201: importResult },
        },
      },
      async (request, reply) => {
        const bytes = request.body as Buffer
        const format =
          request.query.format ?? guessFormat(request.headers['content-type'] ?? '', bytes)
        const rows = await readRows(format, bytes)
        const checked = await withKnownAddresses(
          checkImport(rows, (url) => privateReason(context, url)),
        )
        const answer = {
          preview: request.query.preview,
          format,
          rows: rows.length,
          valid: checked.sources.length,
          created: 0,
          errors: checked.errors.slice(0, shownErrors),
          unknown_columns: checked.unknown_columns,
          sample: checked.sources
            .slice(0, sampleRows)
            .map(({ line, source }) => ({ line, name: source.name, url: source.url })),
        }
        if (request.query.preview) return reply.code(200).send(answer)
        if (checked.errors.length > 0) {
          throw problem(
            422,
            'Import refused',
            `${checked.errors.length} of ${rows.length} rows are wrong; nothing was imported.`,
            { ...answer },
          )
        }
        const created = await importSources(
          sql,
          checked.sources.map(({ source }) => source),
          changeOptions(context, request),
        ).catch((error: unknown) => {
          if (error instanceof ImportConflict)
            throw problem(
              409,
              'Changed meanwhile',
              'Another change added one of these addresses; check again.',
            )
          throw error
        })
        return reply.code(201).send({ ...answer, created: created.length })
      },
    )
  })

  api.get(
    '/api/v1/sources/export',
    {
      schema: {
        summary: 'Export sources as CSV, JSON or OPML',
        tags: ['sources'],
        querystring: sourceQuery.extend({ format: z.enum(exportFormats).default('csv') }),
      },
    },
    (request, reply) => {
      const { format, ...filter } = request.query
      const pages = async function* (): AsyncGenerator<string> {
        yield exportHeading(format)
        let first = true
        for await (const page of eachSource(sql, filter)) {
          yield exportPage(format, page, first)
          first = false
        }
        yield exportTail(format)
      }
      return reply
        .type(exportTypes[format])
        .header('content-disposition', `attachment; filename="sources.${format}"`)
        .send(Readable.from(pages()))
    },
  )

  async function withKnownAddresses(checked: CheckedImport): Promise<CheckedImport> {
    const keys = new Map(
      checked.sources.map((entry) => [sourceIdentity(entry.source.url)?.url_key ?? '', entry]),
    )
    const known = await findByAddress(sql, [...keys.keys()])
    if (known.length === 0) return checked
    const taken = new Set(known.map((row) => row.url_key))
    const errors = known.map((row) => ({
      line: keys.get(row.url_key)?.line ?? 0,
      field: 'url',
      message: `is already the source "${row.name}" (${row.id})`,
    }))
    return {
      ...checked,
      sources: checked.sources.filter(
        ({ source }) => !taken.has(sourceIdentity(source.url)?.url_key ?? ''),
      ),
      errors: [...checked.errors, ...errors].sort((a, b) => a.line - b.line),
    }
  }
}

async function readRows(format: (typeof importFormats)[number], bytes: Buffer) {
  try {
    return await readImport(format, bytes)
  } catch (error) {
    if (error instanceof UnreadableFile)
      throw problem(422, 'File not readable', error.message, { format })
    throw error
  }
}

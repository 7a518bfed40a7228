import { sourceFieldNames } from './fields.ts'
import type { Source } from './source.ts'

export const exportFormats = ['csv', 'json', 'opml'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  opml: 'text/x-opml; charset=utf-8',
}

// Written page by page, so that any number of sources streams through little memory. An export can be imported again.

export function exportHeading(format: ExportFormat): string {
  if (format === 'csv') return `${sourceFieldNames.join(',')}\r\n`
  if (format === 'json') return '{"sources":['
  return '<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0"><head><title>Millrace sources</title></head><body>\n'
}

export function exportPage(
  format: ExportFormat,
  sources: readonly Source[],
  first: boolean,
): string {
  if (format === 'csv')
    return sources
      .map((source) => `${sourceFieldNames.map((field) => csvCell(source[field])).join(',')}\r\n`)
      .join('')
  if (format === 'opml') return sources.map(outline).join('')
  const records = sources.map((source) =>
    JSON.stringify(Object.fromEntries(sourceFieldNames.map((field) => [field, source[field]]))),
  )
  return (first ? '' : ',') + records.join(',')
}

export function exportTail(format: ExportFormat): string {
  return { csv: '', json: ']}', opml: '</body></opml>\n' }[format]
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = Array.isArray(value)
    ? value.join('|')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : `${value as string | number | boolean}`
  // A leading = + - @ would run as a formula when a spreadsheet opens the file.
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function outline(source: Source): string {
  const feed = source.feed_urls[0]
  const attributes = [
    `text="${xml(source.name)}"`,
    `htmlUrl="${xml(source.url)}"`,
    ...(feed === undefined ? [] : [`type="rss" xmlUrl="${xml(feed)}"`]),
  ]
  return `<outline ${attributes.join(' ')}/>\n`
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

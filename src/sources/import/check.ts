import { didYouMean } from '../../kernel/did-you-mean.ts'
import { sourceFieldNames, sourceInput, type SourceField, type SourceInput } from '../fields.ts'
import { sourceIdentity } from '../store.ts'
import type { ImportRow } from './read.ts'

/** Other names under which people keep these columns. */
const aliases: Record<string, SourceField> = {
  title: 'name',
  source: 'name',
  source_name: 'name',
  naam: 'name',
  bron: 'name',
  website: 'url',
  link: 'url',
  address: 'url',
  homepage: 'url',
  site: 'url',
  adres: 'url',
  start_url: 'url',
  type: 'kind',
  soort: 'kind',
  active: 'enabled',
  actief: 'enabled',
  is_enabled: 'enabled',
  prio: 'priority',
  prioriteit: 'priority',
  rate: 'rate_limit',
  requests_per_second: 'rate_limit',
  rps: 'rate_limit',
  depth: 'max_depth',
  diepte: 'max_depth',
  tz: 'timezone',
  time_zone: 'timezone',
  tijdzone: 'timezone',
  language: 'locale',
  taal: 'locale',
  lat: 'default_lat',
  latitude: 'default_lat',
  lng: 'default_lng',
  lon: 'default_lng',
  longitude: 'default_lng',
  feed: 'feed_urls',
  feeds: 'feed_urls',
  feed_url: 'feed_urls',
  rss: 'feed_urls',
  tag: 'tags',
  labels: 'tags',
  categories: 'tags',
  note: 'notes',
  comment: 'notes',
  comments: 'notes',
  opmerking: 'notes',
  include: 'include_patterns',
  exclude: 'exclude_patterns',
  deep_scrape: 'deep_scrape_enabled',
  cms: 'detected_cms',
  method: 'preferred_method',
  group: 'group_id',
}

/** Columns of our own export that say nothing about what a source should be. */
const ignored = new Set([
  'id',
  'version',
  'created_at',
  'updated_at',
  'url_key',
  'host_key',
  'last_event_at',
  'disabled_reason',
  'auto_disabled',
  'auto_disabled_reason',
  'effective',
])

export interface RowError {
  line: number
  field: string
  message: string
}

export interface CheckedImport {
  sources: { line: number; source: SourceInput }[]
  errors: RowError[]
  /** Columns that were not understood, with what may have been meant. */
  unknown_columns: { column: string; did_you_mean: string | null }[]
}

/** Turns rows into sources, or says by line and field what is wrong with them. */
export function checkImport(
  rows: readonly ImportRow[],
  refuseUrl: (url: string) => string | null,
): CheckedImport {
  const unknown = new Set<string>()
  const errors: RowError[] = []
  const sources: { line: number; source: SourceInput }[] = []
  const seen = new Map<string, number>()
  for (const row of rows) {
    const parsed = sourceInput.safeParse(toFields(row.cells, unknown))
    if (!parsed.success) {
      errors.push(
        ...parsed.error.issues.map((issue) => ({
          line: row.line,
          field: issue.path.join('.') || 'row',
          message: issue.message,
        })),
      )
      continue
    }
    const refused = refuseUrl(parsed.data.url)
    const key = sourceIdentity(parsed.data.url)?.url_key
    const earlier = key === undefined ? undefined : seen.get(key)
    if (refused !== null) errors.push({ line: row.line, field: 'url', message: refused })
    else if (key === undefined)
      errors.push({ line: row.line, field: 'url', message: 'is not an address' })
    else if (earlier !== undefined)
      errors.push({
        line: row.line,
        field: 'url',
        message: `is the same address as line ${earlier}`,
      })
    else {
      seen.set(key, row.line)
      sources.push({ line: row.line, source: parsed.data })
    }
  }
  const unknown_columns = [...unknown].map((column) => ({
    column,
    did_you_mean: didYouMean(column, sourceFieldNames),
  }))
  return { sources, errors, unknown_columns }
}

function toFields(cells: Record<string, unknown>, unknown: Set<string>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [column, cell] of Object.entries(cells)) {
    const name = column
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_')
    if (name === '' || ignored.has(name)) continue
    const field = sourceFieldNames.find((known) => known === name) ?? aliases[name]
    if (field === undefined) unknown.add(column)
    else if (cell !== '' && cell !== null && cell !== undefined)
      fields[field] = toValue(field, cell)
  }
  return fields
}

const numbers = new Set<SourceField>([
  'rate_limit',
  'max_depth',
  'default_lat',
  'default_lng',
  'crawl_window_start',
  'crawl_window_end',
])
const lists = new Set<SourceField>(['tags', 'feed_urls', 'include_patterns', 'exclude_patterns'])
const words = new Set<SourceField>(['kind', 'priority', 'render_mode', 'tier', 'preferred_method'])

/** Cells of tables are text; what cannot be read stays as it is, so that the check names it. */
function toValue(field: SourceField, cell: unknown): unknown {
  if (typeof cell !== 'string') return cell
  const text = cell.trim()
  if (numbers.has(field)) return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
  if (lists.has(field))
    return text
      .split(/[,;|]\s*|\n/)
      .map((part) => part.trim())
      .filter((part) => part !== '')
  if (field === 'crawl_window_days') return text.split(/[,;|\s]+/).map(Number)
  if (field === 'enabled' || field === 'deep_scrape_enabled') return readFlag(text)
  if (field === 'selectors') return readObject(text)
  return words.has(field) ? text.toLowerCase() : text
}

function readFlag(text: string): unknown {
  const word = text.toLowerCase()
  if (['true', 'yes', 'ja', '1', 'y', 'on', 'waar'].includes(word)) return true
  if (['false', 'no', 'nee', '0', 'n', 'off', 'onwaar'].includes(word)) return false
  return text
}

function readObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

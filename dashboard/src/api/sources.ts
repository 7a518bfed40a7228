import type { BulkAnswer, OffsetPage } from '../../../contract/dashboard/lists.ts'
import type {
  DemoState,
  ImportResult,
  SourceDetail,
  SourceEventRow,
  SourceInsight,
  SourceRow,
} from '../../../contract/dashboard/sources.ts'
import type { SourcePreview } from '../../../contract/dashboard/preview.ts'
import { api, type Query } from './client.ts'

export interface SourceFilter {
  search: string
  status: string
  priority: string
  kind: string
  tag: string
  sort: string
}

export function listSources(
  filter: SourceFilter,
  offset: number,
  limit: number,
  signal?: AbortSignal,
): Promise<OffsetPage<SourceRow>> {
  return api.get('/api/v1/sources', { ...filter, offset, limit } satisfies Query, signal)
}

export function fetchSource(id: string): Promise<SourceDetail> {
  return api.get<SourceDetail>(sourcePath(id))
}

/** Looks at an address; nothing is stored. */
export function previewSource(url: string): Promise<SourcePreview> {
  return api.post<SourcePreview>('/api/v1/sources/preview', { url })
}

export function createSource(source: Record<string, unknown>): Promise<SourceDetail> {
  return api.post<SourceDetail>('/api/v1/sources', source)
}

export function fetchInsight(id: string): Promise<SourceInsight> {
  return api.get<SourceInsight>(`${sourcePath(id)}/extraction`)
}

export function patchSource(
  id: string,
  changes: Record<string, unknown>,
  version: number | undefined,
): Promise<SourceDetail> {
  return api.patch<SourceDetail>(sourcePath(id), changes, version)
}

export function deleteSource(id: string): Promise<unknown> {
  return api.delete(sourcePath(id))
}

/** What a deletion would take along, by kind. */
export async function countBelongings(id: string): Promise<Record<string, number>> {
  const path = `${sourcePath(id)}?dry_run=true`
  return (await api.delete<{ goes_with_it?: Record<string, number> }>(path)).goes_with_it ?? {}
}

export function enableSource(id: string): Promise<unknown> {
  return api.post(`${sourcePath(id)}/enable`)
}

export function disableSource(id: string, reason: string): Promise<unknown> {
  return api.post(`${sourcePath(id)}/disable`, { reason })
}

export function importSources(file: File, preview: boolean): Promise<ImportResult> {
  return api.upload<ImportResult>('/api/v1/sources/import', { preview }, file)
}

export function bulkSources(
  action: string,
  ids: string[],
  extra: Record<string, unknown> = {},
): Promise<BulkAnswer> {
  return api.post<BulkAnswer>('/api/v1/sources/bulk', { action, ids, ...extra })
}

export function listSourceEvents(query: Query): Promise<OffsetPage<SourceEventRow>> {
  return api.get('/api/v1/events/log', query)
}

export function fetchDemo(): Promise<DemoState> {
  return api.get<DemoState>('/api/v1/demo')
}

export function loadDemo(): Promise<{ created: number; existing: number }> {
  return api.post('/api/v1/demo/load')
}

function sourcePath(id: string): string {
  return `/api/v1/sources/${encodeURIComponent(id)}`
}

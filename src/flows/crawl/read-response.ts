import type { FrontierKind } from '../../crawl/frontier/types.ts'
import type { ParsedPage } from '../parse/parse-page.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import { extractOptions, type CrawlTarget } from './target.ts'

export interface ReadableBody {
  url: string
  kind: FrontierKind
  body: Uint8Array
  headers: Record<string, string>
  /** Of the last fetch: the same body is not read again. */
  knownHash: string | null
  fetchedAt: Date
  /** It comes from the archive and is there already. */
  isCopy?: boolean
}

/** Reads a body in a thread, as its source wants it read; the thread also puts it into a pack of the archive, if that has any. */
export async function readResponse(
  deps: CrawlDeps,
  target: CrawlTarget,
  { fetchedAt, isCopy = false, ...body }: ReadableBody,
): Promise<ParsedPage> {
  const packFolder = isCopy ? null : await deps.archive?.packFolder?.()
  return deps.pool.parse({
    ...body,
    fetchedAt: fetchedAt.getTime(),
    userAgent: deps.userAgent,
    packFolder: packFolder ?? null,
    extract: deps.extract,
    options: { ...extractOptions(target), readability: deps.readability ?? true },
    ...(target.timezone !== null && { timezone: target.timezone }),
    ...(target.locale !== null && { locale: target.locale }),
  })
}

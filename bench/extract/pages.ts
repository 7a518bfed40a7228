import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { packagePath } from '../../src/kernel/package-root.ts'

export interface BenchPage {
  url: string
  html: string
}

const dev = packagePath('..', 'shared', 'eval', 'dev')

export function hasPages(): boolean {
  return existsSync(dev)
}

/** Pages of an evaluation set whose size lies between two bounds, in the order of the set. */
export function pagesOf(set: string, minBytes: number, maxBytes: number): BenchPage[] {
  const folder = join(dev, set)
  return readFileSync(join(folder, 'cases.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { input: { url?: string; html: string | { $file: string } } },
    )
    .map(({ input }) => ({
      url: input.url ?? 'https://example.org/',
      html: read(folder, input.html),
    }))
    .filter(({ html }) => html.length >= minBytes && html.length <= maxBytes)
}

function read(folder: string, html: string | { $file: string }): string {
  if (typeof html === 'string') return html
  const bytes = readFileSync(join(folder, html.$file))
  return (html.$file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

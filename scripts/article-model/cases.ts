import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { segment, type Block } from '../../src/extract/article/blocks.ts'
import type { Columns } from '../../src/extract/article/columns.ts'
import { featuresOf } from '../../src/extract/article/features.ts'
import { declaresArticle } from '../../src/extract/article/select.ts'
import { readDeclared } from '../../src/extract/article/structured.ts'
import { openPage } from '../../src/extract/page.ts'
import { labelsFromSegments, labelsFromText, type Labels } from './label.ts'

export interface Case {
  id: string
  set: string
  group: string
  tags: string[]
  input: { url: string; html: string | { $file: string } }
  expected: {
    articleBody?: string
    body?: string
    with?: string[]
    without?: string[]
  }
}

export interface TrainingPage extends Labels {
  source: Case
  blocks: Block[]
  columns: Columns
  isArticle: boolean
}

export const evalFolder = join(import.meta.dirname, '../../../shared/eval')

export function loadPages(sets: readonly string[]): TrainingPage[] {
  const pages: TrainingPage[] = []
  for (const set of sets) {
    const folder = join(evalFolder, 'dev', set)
    const lines = readFileSync(join(folder, 'cases.jsonl'), 'utf8').trim().split('\n')
    for (const line of lines) {
      const source = JSON.parse(line) as Case
      if (set === 'article-seg' && (source.expected.with ?? []).length === 0) continue
      pages.push(trainingPage(source, folder))
    }
  }
  return pages
}

function trainingPage(source: Case, folder: string): TrainingPage {
  const { html, url } = source.input
  const body = typeof html === 'string' ? html : readText(join(folder, html.$file))
  const page = openPage({ url, body, contentType: null, fetchedAt: new Date(0) })
  const cut = segment(page.dom)
  const declared = readDeclared(page)
  const columns = featuresOf(page, declared, cut)
  const { expected } = source
  const text = expected.articleBody ?? expected.body
  const labels =
    text === undefined
      ? labelsFromSegments(cut.blocks, expected.with ?? [], expected.without ?? [])
      : labelsFromText(cut.blocks, text)
  // The tree is no longer needed; only the text and the containers are.
  for (const block of cut.blocks) block.nodes = []
  return { source, blocks: cut.blocks, columns, isArticle: declaresArticle(declared), ...labels }
}

function readText(path: string): string {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

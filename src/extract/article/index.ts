import type { Document } from 'domhandler'
import { PageTooComplex, type Page } from '../page.ts'
import type { FieldOrigin, RawArticleFields } from '../types.ts'
import { findCanonical, findImage, findLanguage, findPaywall, findSection } from './about.ts'
import { segment, type Block } from './blocks.ts'
import { findByline } from './byline.ts'
import { found, fromMeta, originOf, type Found } from './found.ts'
import { withoutHead } from './head.ts'
import { articleLikeness } from './likeness.ts'
import { toMarkdown } from './markdown.ts'
import { scoreBlocks } from './model.ts'
import { findPublication } from './publication.ts'
import { declaresArticle, selectBlocks } from './select.ts'
import { readDeclared, type Declared } from './structured.ts'
import { toText } from './text.ts'
import { findTitle } from './title.ts'

export interface ArticleResult extends RawArticleFields {
  title: string | null
  description: string | null
  imageUrl: string | null
  language: string | null
  /** How much the page looks like one article, 0 to 1; lists and shop pages score low but still give their text. */
  confidence: number
  provenance: Record<string, FieldOrigin>
}

/** The main text of a page and what the page says about it; null when it has no text at all. */
export function extractArticle(page: Page): ArticleResult | null {
  const dom = treeOf(page)
  if (dom === null) return null
  const declared = readDeclared(page)
  const cut = segment(dom)
  const probability = scoreBlocks(page, declared, cut)
  const keep = selectBlocks(cut.blocks, probability, declaresArticle(declared))
  const kept = cut.blocks.filter((block) => keep[block.index] === true)
  const { title, block } = findTitle(page, declared, cut.blocks, keep.indexOf(true))
  const body = bodyOf(withoutHead(kept, block), declared, page.scan.baseUrl)
  if (body.text === '') return null

  const { published, modified } = findPublication(page, declared, cut, block, keep)
  const start = block < 0 ? keep.indexOf(true) : block
  const words = kept.reduce((sum, { shape }) => sum + shape.words, 0)
  const fields = {
    title,
    description: fromMeta(declared.metas, descriptionKeys, 0.9),
    imageUrl: findImage(page, declared, kept),
    language: findLanguage(page, declared, body.text),
    byline: findByline(declared, cut, start, keep.lastIndexOf(true)),
    publishedAt: published,
    modifiedAt: modified,
    section: findSection(declared),
    canonicalUrl: findCanonical(page, declared),
    paywalled: findPaywall(declared, cut, words),
  }
  const confidence = articleLikeness({
    page,
    declared,
    cut,
    kept,
    probability,
    dateConfidence: published?.confidence ?? 0,
    hasByline: fields.byline !== null,
  })
  return {
    text: body.text,
    markdown: body.markdown,
    title: valueOf(fields.title),
    description: valueOf(fields.description),
    imageUrl: valueOf(fields.imageUrl),
    language: valueOf(fields.language),
    byline: valueOf(fields.byline),
    publishedAt: valueOf(fields.publishedAt),
    modifiedAt: valueOf(fields.modifiedAt),
    section: valueOf(fields.section),
    canonicalUrl: valueOf(fields.canonicalUrl),
    paywalled: fields.paywalled !== null,
    confidence,
    provenance: provenanceOf({ ...fields, text: body.origin }),
  }
}

function treeOf(page: Page): Document | null {
  try {
    return page.dom
  } catch (error) {
    if (error instanceof PageTooComplex) return null
    throw error
  }
}

const descriptionKeys = ['og:description', 'description', 'twitter:description', 'dc.description']

interface Body {
  text: string
  markdown: string
  origin: Found
}

/** The kept blocks, unless the page draws its text with scripts and its head knows far more of it. */
function bodyOf(kept: readonly Block[], declared: Declared, baseUrl: string): Body {
  const text = toText(kept)
  const raw = declared.article?.['articleBody']
  const full = typeof raw === 'string' ? plainLines(raw) : ''
  if (full.length > 400 && full.length > text.length * 3) {
    return declaredBody(full, 'ld+json articleBody', 0.8)
  }
  const description = fromMeta(declared.metas, descriptionKeys, 0.3)
  if (description !== null && text.length < 120 && description.value.length > text.length * 2) {
    return declaredBody(description.value, description.path, 0.3)
  }
  return { text, markdown: toMarkdown(kept, baseUrl), origin: found(text, 'blocks', 0.9) }
}

function declaredBody(text: string, path: string, confidence: number): Body {
  return { text, markdown: text.replaceAll('\n', '\n\n'), origin: found(text, path, confidence) }
}

function plainLines(html: string): string {
  return html
    .slice(0, 1_000_000)
    .replace(/<\/?(?:p|br|div|li|h\d)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
}

function valueOf(field: Found | null): string | null {
  return field?.value ?? null
}

function provenanceOf(fields: Record<string, Found | null>): Record<string, FieldOrigin> {
  const out: Record<string, FieldOrigin> = {}
  for (const [name, field] of Object.entries(fields))
    if (field !== null) out[name] = originOf(field)
  return out
}

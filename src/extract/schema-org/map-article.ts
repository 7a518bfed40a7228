import type { RawArticleFields } from '../types.ts'
import { textOf, textsOf, urlOf } from './read-property.ts'
import type { Thing } from './thing.ts'

export interface MappedArticle {
  fields: RawArticleFields
  paths: Record<string, string>
}

/** The article half of a thing. */
export function mapArticle(thing: Thing, baseUrl: string): MappedArticle {
  const body = textOf(thing, 'articleBody', 'text')
  const authors = [
    ...new Set(textsOf(thing, 'author', 'creator').filter((name) => !/^https?:/.test(name))),
  ]
  const published = textOf(thing, 'datePublished', 'dateCreated', 'uploadDate')
  const modified = textOf(thing, 'dateModified')
  const section = textOf(thing, 'articleSection')
  const canonical = urlOf(thing, baseUrl, 'mainEntityOfPage', 'url')
  const fields: RawArticleFields = {
    text: body?.value ?? '',
    markdown: body?.value ?? '',
    byline: authors.length > 0 ? authors.slice(0, 20).join(', ') : null,
    publishedAt: published?.value ?? null,
    modifiedAt: modified?.value ?? null,
    section: section?.value ?? null,
    canonicalUrl: canonical?.value ?? null,
    paywalled: /^false$|\/false$/i.test(textOf(thing, 'isAccessibleForFree')?.value ?? ''),
  }
  const paths: Record<string, string> = {}
  if (body !== null) paths['text'] = body.path
  if (authors.length > 0) paths['byline'] = `${thing.path}.author`
  if (published !== null) paths['publishedAt'] = published.path
  if (modified !== null) paths['modifiedAt'] = modified.path
  if (section !== null) paths['section'] = section.path
  if (canonical !== null) paths['canonicalUrl'] = canonical.path
  return { fields, paths }
}

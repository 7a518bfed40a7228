import { extractArticle } from '../../extract/article/index.ts'
import { openPage } from '../../extract/page.ts'

/** The main text of a page, as block lines. */
export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const page = openPage({
    url: String(input['url']),
    body: String(input['html']),
    contentType: 'text/html',
    fetchedAt: new Date(),
  })
  const article = extractArticle(page)
  return {
    body: article?.text ?? '',
    title: article?.title ?? null,
    date: article?.publishedAt ?? null,
  }
}

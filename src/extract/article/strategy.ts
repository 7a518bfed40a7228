import type { Strategy } from '../strategy.ts'
import { extractArticle } from './index.ts'

const threshold = 0.6

/** The last strategy of the waterfall: the page itself as one article, when it looks like one. */
export const articleStrategy: Strategy = {
  name: 'article',
  extract(page) {
    const result = extractArticle(page)
    if (result === null || result.title === null || result.confidence < threshold) return []
    const { title, description, imageUrl, language, confidence, provenance, ...article } = result
    return [
      {
        kind: 'article',
        strategy: 'article',
        title,
        url: article.canonicalUrl ?? page.url,
        description,
        imageUrl,
        language,
        tags: [],
        confidence,
        provenance,
        calendar: null,
        article,
      },
    ]
  },
}

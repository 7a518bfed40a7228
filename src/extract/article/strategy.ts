import type { Strategy } from '../strategy.ts'
import { extractArticle } from './index.ts'

const threshold = 0.5
/** A source known for articles is believed sooner. */
const expectedThreshold = 0.3

/** The last strategy of the waterfall: the page itself as one article, when it looks like one. */
export const articleStrategy: Strategy = {
  name: 'article',
  extract(page, context) {
    const result = extractArticle(page)
    const needed = context.preferredKind === 'article' ? expectedThreshold : threshold
    if (result === null || result.title === null || result.confidence < needed) return []
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

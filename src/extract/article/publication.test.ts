import { describe, expect, it } from 'vitest'
import { openPage } from '../page.ts'
import { extractArticle } from './index.ts'

const text =
  '<p>The wheel turned all day, and by the evening everyone in the village had seen it at least once.</p>'.repeat(
    4,
  )

function published(
  head: string,
  body: string,
  url = 'https://x.example/story',
): string | null | undefined {
  const html = `<html lang="en-GB"><head><title>The wheel turns</title>${head}</head><body><h1>The wheel turns</h1>${body}${text}</body></html>`
  const page = openPage({
    url,
    body: html,
    contentType: 'text/html',
    fetchedAt: new Date('2024-06-01T00:00:00Z'),
  })
  return extractArticle(page)?.publishedAt
}

describe('the publication date', () => {
  it('comes from meta tags as written', () => {
    expect(
      published('<meta property="article:published_time" content="2024-05-03T10:00:00+02:00">', ''),
    ).toBe('2024-05-03T10:00:00+02:00')
  })

  it('comes from a time element by the title', () => {
    expect(published('', '<time datetime="2024-05-03">last month</time>')).toBe('2024-05-03')
  })

  it('comes from the URL, which also settles the local day', () => {
    expect(published('', '', 'https://x.example/2024/05/03/story')).toBe('2024-05-03')
    expect(
      published(
        '<meta property="article:published_time" content="2024-05-04T01:00:00Z">',
        '',
        'https://x.example/2024/05/03/story',
      ),
    ).toBe('2024-05-03')
  })

  it('comes from a line under the title', () => {
    expect(published('', '<p>3 May 2024, by Ada Brook</p>')).toBe('2024-05-03')
    expect(published('', '<div class="post-date">03/05/2024</div>')).toBe('2024-05-03')
  })

  it('is never in the future', () => {
    expect(published('<meta name="date" content="2031-01-01">', '')).toBeNull()
  })
})

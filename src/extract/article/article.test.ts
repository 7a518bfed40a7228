import { describe, expect, it } from 'vitest'
import { openPage } from '../page.ts'
import { extractArticle, type ArticleResult } from './index.ts'
import { articleStrategy } from './strategy.ts'

const sentences = [
  'The council agreed on Tuesday to rebuild the old mill, ending a debate that lasted eleven years.',
  'Engineers will first drain the race, inspect the wheel and decide which timbers can be saved.',
  'Neighbours had feared the noise, but a report published last spring found little to worry about.',
  'Work starts in May and should take two summers, the mayor said, if the weather is kind.',
  'Half of the money comes from the province; the rest was raised by the people of the village.',
  'Visitors will be able to see flour being ground again, for the first time since 1963.',
]

const plea = 'Support local reporting: become a member from four pounds a month.'

const articlePage = `<!doctype html><html lang="en"><head>
<title>Old mill to turn again | The Daily Race</title>
<meta property="og:site_name" content="The Daily Race"><meta property="og:type" content="article">
<meta property="og:title" content="Old mill to turn again">
<meta property="og:image" content="/img/mill.jpg"><meta property="article:section" content="Local">
<meta name="description" content="After eleven years the council agrees.">
<link rel="canonical" href="https://race.example/2024/03/05/old-mill">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle",
 "headline":"Old mill to turn again","datePublished":"2024-03-05T08:30:00+01:00","dateModified":"2024-03-06",
 "author":[{"@type":"Person","name":"Ada Brook"}],"isAccessibleForFree":"False",}</script></head><body>
<nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li><li><a href="/local">Local</a></li></ul></nav>
<main><article class="post"><h1>Old mill to turn again</h1><p class="byline">By Ada Brook, 5 March 2024</p>
<div class="share"><a href="#f">Share on Facebook</a> <a href="#t">Tweet</a></div>
<div class="article-body"><p>${sentences[0]}</p><p>${sentences[1]} <a href="/plan">The plan</a> is <strong>public</strong>.</p>
<h2>Noise and money</h2><p>${sentences[2]}</p><ul><li>${sentences[3]}</li><li>${sentences[4]}</li></ul>
<blockquote><p>${sentences[5]}</p></blockquote><pre><code>wheel.turn()
wheel.stop()</code></pre></div></article>
<section class="related-articles"><h3>Read more</h3><ul><li><a href="/a">Bridge closed for repairs</a></li><li><a href="/b">School wins prize</a></li></ul></section>
<section id="comments" class="comments"><h3>Comments</h3><div class="comment"><p>Tom says: great news at last!</p></div></section></main>
<footer class="site-footer"><p>© 2024 The Daily Race. All rights reserved. <a href="/privacy">Privacy</a></p></footer></body></html>`

function read(
  body: string,
  url = 'https://race.example/2024/03/05/old-mill?x=1',
): ArticleResult | null {
  return extractArticle(
    openPage({ url, body, contentType: 'text/html', fetchedAt: new Date('2024-04-01T00:00:00Z') }),
  )
}

describe('a news article', () => {
  const article = read(articlePage)

  it('gives the paragraphs, headings, lists and quotes, one per line', () => {
    for (const sentence of sentences) expect(article?.text).toContain(sentence)
    expect(article?.text).toContain('Noise and money\n')
  })

  it('leaves navigation, sharing, related links, comments and the footer out', () => {
    expect(article?.text).not.toMatch(/Sport|Facebook|Bridge closed|great news|All rights reserved/)
  })

  it('begins with the text: headline and byline are fields of their own', () => {
    expect(article?.text.split('\n')[0]).toBe(sentences[0])
    expect(article?.markdown.split('\n')[0]).toBe(sentences[0])
  })

  it('leaves out what is named a promotion, and keeps an article in a box of that name', () => {
    const promoted = articlePage.replace('</article>', `</article><div class="promo">${plea}</div>`)
    expect(read(promoted)?.text).toBe(article?.text)
    const wrapped = articlePage.replace('<article class="post"', '<article class="post promo"')
    for (const sentence of sentences) expect(read(wrapped)?.text).toContain(sentence)
  })

  it('knows title, byline, dates, image, section, language, canonical address and barrier', () => {
    expect(article).toMatchObject({
      title: 'Old mill to turn again',
      byline: 'Ada Brook',
      publishedAt: '2024-03-05T08:30:00+01:00',
      modifiedAt: '2024-03-06',
      imageUrl: 'https://race.example/img/mill.jpg',
      section: 'Local',
      language: 'en',
      description: 'After eleven years the council agrees.',
      canonicalUrl: 'https://race.example/2024/03/05/old-mill',
      paywalled: true,
    })
  })

  it('says where each field came from', () => {
    expect(article?.provenance['publishedAt']).toMatchObject({
      strategy: 'article',
      path: 'ld+json NewsArticle.datePublished',
    })
    expect(article?.provenance['title']?.path).toBe('h1')
  })

  it('writes Markdown with headings, links, emphasis, lists, quotes and code', () => {
    expect(article?.markdown).toContain('## Noise and money')
    expect(article?.markdown).toContain('[The plan](https://race.example/plan) is **public**.')
    expect(article?.markdown).toContain(`- ${sentences[3]}\n- ${sentences[4]}`)
    expect(article?.markdown).toContain(`> ${sentences[5]}`)
    expect(article?.markdown).toContain('```\nwheel.turn()\nwheel.stop()\n```')
  })

  it('becomes one article item', () => {
    const page = openPage({
      url: 'https://race.example/2024/03/05/old-mill',
      body: articlePage,
      contentType: 'text/html',
      fetchedAt: new Date('2024-04-01'),
    })
    const items = articleStrategy.extract(page, {})
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      kind: 'article',
      title: 'Old mill to turn again',
      calendar: null,
    })
  })
})

describe('pages that are no article', () => {
  it('a list of teasers gives no article item', () => {
    const cards = Array.from(
      { length: 20 },
      (_, i) =>
        `<div class="card"><a href="/n/${i}"><h3>Headline number ${i}</h3></a><p><a href="/n/${i}">Read more</a></p></div>`,
    )
    const body = `<html><head><title>News</title></head><body><h1>News</h1><div class="grid">${cards.join('')}</div></body></html>`
    const page = openPage({
      url: 'https://race.example/',
      body,
      contentType: 'text/html',
      fetchedAt: new Date('2024-04-01'),
    })
    expect(articleStrategy.extract(page, {})).toEqual([])
  })

  it('an empty page gives null', () => {
    expect(read('')).toBeNull()
    expect(read('<html><body><script>var a = 1</script></body></html>')).toBeNull()
  })
})

describe('pages drawn by scripts', () => {
  it('fall back to the declared article body', () => {
    const text = sentences.join(' ').repeat(3)
    const body = `<html><head><script type="application/ld+json">{"@type":"Article","headline":"Mill","articleBody":${JSON.stringify(text)}}</script></head><body><div id="app">Loading</div></body></html>`
    const article = read(body)
    expect(article?.text).toBe(text)
    expect(article?.provenance['text']?.path).toBe('ld+json articleBody')
  })
})

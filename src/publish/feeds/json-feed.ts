import type { FeedEntry, FeedPage } from './entries.ts'

export function jsonFeedOf(page: FeedPage): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: page.route.name,
    home_page_url: page.siteUrl,
    feed_url: page.selfUrl,
    ...(page.nextUrl !== null && { next_url: page.nextUrl }),
    items: page.entries.map(itemOf),
  })
}

function itemOf({ payload, version, changedAt }: FeedEntry): Record<string, unknown> {
  return {
    id: payload.id,
    ...(payload.url !== null && { url: payload.url }),
    title: payload.title,
    content_text: payload.text === '' ? payload.description || payload.title : payload.text,
    ...(payload.description !== '' && { summary: payload.description }),
    ...(payload.image_url !== null && { image: payload.image_url }),
    ...(payload.published_at !== null && { date_published: payload.published_at }),
    date_modified: changedAt.toISOString(),
    ...(payload.author !== null && { authors: [{ name: payload.author }] }),
    tags: [...payload.topics, ...payload.tags],
    language: payload.language,
    _millrace: {
      version,
      kind: payload.kind,
      source: payload.source,
      quality_score: payload.quality_score,
      content_type: payload.content_type,
      event: payload.event,
    },
  }
}

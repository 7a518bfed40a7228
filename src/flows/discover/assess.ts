import type { NewCandidate } from '../../discover/candidates.ts'
import { judge } from '../../discover/judge.ts'
import type { Place } from '../../discover/places.ts'
import type { SearchResult } from '../../discover/search.ts'
import type { SourcePreview } from '../preview/preview-source.ts'
import type { Recommended } from '../preview/recommend.ts'

type Assessed = Pick<NewCandidate, 'title' | 'confidence' | 'reasons' | 'needsReview' | 'settings'>

/** What a look at an address says about it as a source; null when there was nothing to look at. */
export function assess(
  preview: SourcePreview,
  result: SearchResult,
  place: Pick<Place, 'name' | 'lat' | 'lng'>,
  now: Date,
): Assessed | null {
  const { page, detail, feeds, recommended } = preview
  if (page.state === 'unreachable') return null
  const items = [...(page.survey?.parsed.items ?? []), ...(detail?.item ? [detail.item] : [])]
  const events = items.filter((item) => item.kind !== 'article')
  const judgement = judge({
    url: preview.url,
    title: result.title,
    snippet: result.snippet,
    place: place.name,
    reading: page.state,
    events: events.length,
    upcoming: events.filter(({ calendar }) => Date.parse(calendar?.start ?? '') > now.getTime())
      .length,
    articles: items.length - events.length,
    calendarFeeds: feeds.filter((feed) => feed.kind === 'ics' && feed.items > 0).length,
  })
  return {
    ...judgement,
    title: (result.title || recommended.name.value).slice(0, 300),
    settings: {
      ...valuesOf(recommended),
      default_lat: place.lat,
      default_lng: place.lng,
      tags: [place.name.toLowerCase()],
      notes: `Found by searching for ${place.name}.`,
    },
  }
}

function valuesOf(recommended: Recommended): NewCandidate['settings'] {
  return Object.fromEntries(
    Object.entries(recommended).map(([field, setting]) => [field, setting.value]),
  )
}

import type { RouteFilters, RouteRow } from '../../../../contract/dashboard/publish.ts'
import type { Near } from '../items/near.ts'

/** What the form holds: lists of names as one text with commas, numbers as texts. */
export interface RouteForm {
  name: string
  channelId: string
  enabled: boolean
  kinds: string[]
  contentTypes: string[]
  categories: string[]
  topicsAny: string
  topicsAll: string
  topicsNone: string
  tagsAny: string
  tagsNone: string
  text: string
  minQuality: string
  maxQuality: string
  languages: string
  sources: string[]
  sourcesNone: string[]
  near: Near | null
}

export function formOf(route: RouteRow | null): RouteForm {
  const filters = route?.filters ?? {}
  const { near } = filters
  return {
    name: route?.name ?? '',
    channelId: route?.channel_id ?? '',
    enabled: route?.enabled ?? true,
    kinds: filters.kinds ?? [],
    contentTypes: filters.content_types ?? [],
    categories: filters.categories ?? [],
    topicsAny: join(filters.topics_any),
    topicsAll: join(filters.topics_all),
    topicsNone: join(filters.topics_none),
    tagsAny: join(filters.tags_any),
    tagsNone: join(filters.tags_none),
    text: filters.text ?? '',
    minQuality: filters.min_quality?.toString() ?? '',
    maxQuality: filters.max_quality?.toString() ?? '',
    languages: join(filters.languages),
    sources: filters.sources ?? [],
    sourcesNone: filters.sources_none ?? [],
    near: near === undefined ? null : { lat: near.lat, lng: near.lng, km: near.radius_km },
  }
}

/** Only what was named: a filter that is left empty asks for nothing. */
export function filtersOf(form: RouteForm): RouteFilters {
  return {
    ...list('kinds', form.kinds),
    ...list('content_types', form.contentTypes),
    ...list('categories', form.categories),
    ...list('topics_any', split(form.topicsAny)),
    ...list('topics_all', split(form.topicsAll)),
    ...list('topics_none', split(form.topicsNone)),
    ...list('tags_any', split(form.tagsAny)),
    ...list('tags_none', split(form.tagsNone)),
    ...list('languages', split(form.languages)),
    ...list('sources', form.sources),
    ...list('sources_none', form.sourcesNone),
    ...(form.text.trim() !== '' && { text: form.text.trim() }),
    ...(form.minQuality !== '' && { min_quality: Number(form.minQuality) }),
    ...(form.maxQuality !== '' && { max_quality: Number(form.maxQuality) }),
    ...(form.near && {
      near: { lat: form.near.lat, lng: form.near.lng, radius_km: form.near.km },
    }),
  }
}

export function split(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

export function join(names: readonly string[] | undefined): string {
  return (names ?? []).join(', ')
}

function list(name: keyof RouteFilters, values: string[]): RouteFilters {
  return values.length === 0 ? {} : { [name]: values }
}

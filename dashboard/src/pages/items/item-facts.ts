import { computed, type Ref } from 'vue'
import type { ArticleRow, CalendarRow, ItemKind } from '../../../../contract/dashboard/items.ts'
import { usePreferences } from '../../shared/preferences.ts'
import { useTimeFormat } from '../../shared/time.ts'
import { useTexts } from '../../texts/index.ts'

interface Fact {
  key: string
  label: string
  value: string | undefined
}

/** What a person wants to know of an item, as rows of label and value; what is not known is left out. */
export function useItemFacts(
  item: Ref<(ArticleRow & CalendarRow) | undefined>,
  kind: () => ItemKind,
) {
  const t = useTexts()
  const time = useTimeFormat()
  const price = usePrice()

  const moment = (iso: string | null | undefined) => (iso ? time.value.exact(iso) : undefined)
  const article = (row: ArticleRow): Fact[] => [
    { key: 'published', label: t.value.items.published, value: moment(row.published_at) },
    { key: 'author', label: t.value.items.author, value: row.author ?? undefined },
    { key: 'section', label: t.value.items.section, value: row.section ?? undefined },
    { key: 'language', label: t.value.nav.language, value: row.language ?? undefined },
    { key: 'words', label: t.value.items.words, value: row.word_count?.toString() },
    { key: 'tags', label: t.value.items.tags, value: row.tags?.join(', ') || undefined },
    {
      key: 'status',
      label: t.value.sources.columns.status,
      value: row.status === 'vanished' ? t.value.calendar.states[row.status] : undefined,
    },
  ]
  const event = (row: CalendarRow): Fact[] => [
    {
      key: 'starts',
      label: t.value.calendar.starts,
      value: row.all_day
        ? `${time.value.day(row.starts_at)}, ${t.value.calendar.allDay}`
        : moment(row.starts_at),
    },
    { key: 'ends', label: t.value.calendar.ends, value: moment(row.ends_at) },
    { key: 'place', label: t.value.calendar.place, value: addressOf(row) },
    {
      key: 'category',
      label: t.value.calendar.category,
      value: row.category ? (t.value.calendar.categories[row.category] ?? row.category) : undefined,
    },
    { key: 'price', label: t.value.calendar.price, value: price.value(row.price_text) },
    { key: 'organizer', label: t.value.calendar.organizer, value: row.organizer ?? undefined },
    {
      key: 'status',
      label: t.value.sources.columns.status,
      value: row.status ? (t.value.calendar.states[row.status] ?? row.status) : undefined,
    },
    { key: 'uid', label: t.value.calendar.uid, value: row.uid },
  ]

  return computed<Fact[]>(() => {
    const row = item.value
    if (row === undefined) return []
    return [
      { key: 'source', label: t.value.common.source, value: row.source_name ?? undefined },
      ...(kind() === 'article' ? article(row) : event(row)),
      { key: 'strategy', label: t.value.panel.strategy, value: row.extracted_by ?? undefined },
      { key: 'seen', label: t.value.items.seen, value: moment(row.first_seen_at) },
    ].filter((fact) => fact.value !== undefined)
  })
}

function addressOf(row: CalendarRow): string | undefined {
  const { address, postal_code: postalCode } = row.structured_location ?? {}
  const parts = [row.venue_name, address, [postalCode, row.city].filter(Boolean).join(' ')]
  return parts.filter(Boolean).join(', ') || undefined
}

/** "5 EUR" as people write it; anything else stays as the source said it. */
export function usePrice() {
  const t = useTexts()
  const preferences = usePreferences()
  return computed(() => (text: string | null | undefined): string | undefined => {
    const [, amount, currency] = /^(\d+(?:\.\d+)?) ([A-Z]{3})$/.exec(text?.trim() ?? '') ?? []
    if (amount === undefined || currency === undefined) return text?.trim() || undefined
    if (Number(amount) === 0) return t.value.calendar.free
    const language = preferences.locale === 'nl' ? 'nl-NL' : 'en-GB'
    return new Intl.NumberFormat(language, { style: 'currency', currency }).format(Number(amount))
  })
}

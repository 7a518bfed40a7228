import { useQuery } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import type { CalendarRow } from '../../../../contract/dashboard/items.ts'
import type { CursorPage, OffsetPage } from '../../../../contract/dashboard/lists.ts'
import { api } from '../../api/client.ts'

const pageSize = 200
const mostPages = 10

/** All calendar events that start in a span of time, to the last page. */
export function useCalendar(span: Ref<{ from: string; to: string }>, search: Ref<string>) {
  return useQuery({
    queryKey: computed(() => ['calendar', span.value, search.value]),
    queryFn: async () => {
      const rows: CalendarRow[] = []
      for (let page = 0; page < mostPages; page++) {
        const answer = await api.get<OffsetPage<CalendarRow> & CursorPage<CalendarRow>>(
          '/api/v1/calendar',
          {
            ...span.value,
            search: search.value,
            limit: pageSize,
            offset: page * pageSize,
          },
        )
        rows.push(...answer.data)
        if (rows.length >= (answer.total ?? 0) || answer.data.length === 0) break
      }
      return rows.sort((a, b) => a.starts_at.localeCompare(b.starts_at))
    },
    placeholderData: (previous) => previous,
    refetchInterval: 30_000,
  })
}

/** The calendar day of a moment in a time zone, as 2026-11-15. */
export function dayKey(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(new Date(iso))
}

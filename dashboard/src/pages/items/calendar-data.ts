import { useQuery } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import type { CalendarRow } from '../../../../contract/dashboard/items.ts'
import type { OffsetPage } from '../../../../contract/dashboard/lists.ts'
import { api, type Query } from '../../api/client.ts'

const pageSize = 500
const mostPages = 10

/** All calendar events a query asks for, one of each happening, to the last page. */
export function useCalendar(query: Ref<Query>) {
  return useQuery({
    queryKey: computed(() => ['calendar', query.value]),
    queryFn: async ({ signal }) => {
      const rows: CalendarRow[] = []
      for (let page = 0; page < mostPages; page++) {
        const answer = await api.get<OffsetPage<CalendarRow>>(
          '/api/v1/calendar',
          { ...query.value, canonical: true, limit: pageSize, offset: page * pageSize },
          signal,
        )
        rows.push(...answer.data)
        if (rows.length >= answer.total || answer.data.length === 0) break
      }
      return rows
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

/** The day an event stands under; a whole day is the same day everywhere. */
export function dayOf(event: CalendarRow, timeZone: string): string {
  return event.all_day && event.event_date ? event.event_date : dayKey(event.starts_at, timeZone)
}

/** The moment a day begins in a time zone: midnight UTC, moved by what the zone is ahead. */
export function startOfDay(day: string, timeZone: string): Date {
  const utc = Date.parse(`${day}T00:00:00Z`)
  const name = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(new Date(utc))
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? []
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000
  return new Date(sign === '-' ? utc + ahead : utc - ahead)
}

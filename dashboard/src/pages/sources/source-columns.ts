import type { Texts } from '../../texts/index.ts'
import type { Column } from '../../ui/table.ts'

export function sourceColumns(t: Texts): Column[] {
  const titles = t.sources.columns
  return [
    { key: 'name', title: titles.name, width: 'minmax(9rem, 2fr)', sortable: true },
    { key: 'status', title: titles.status, width: 'minmax(6.5rem, 2.2fr)', sortable: true },
    { key: 'priority', title: titles.priority, width: '5.5rem', sortable: true, from: 820 },
    { key: 'kind', title: titles.kind, width: '6rem', from: 1080 },
    {
      key: 'interval_minutes',
      title: titles.interval,
      width: '5rem',
      from: 1000,
      alignEnd: true,
    },
    { key: 'last_run_at', title: titles.lastRun, width: '6rem', from: 560, sortable: true },
    { key: 'next_run_at', title: titles.nextRun, width: '6rem', from: 680, sortable: true },
    {
      key: 'items_24h',
      title: titles.items,
      width: '8.5rem',
      sortable: true,
      alignEnd: true,
      from: 760,
    },
  ]
}

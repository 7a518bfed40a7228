import { useQueries, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue'
import type { OffsetPage } from '../../../contract/dashboard/lists.ts'

interface Options<Row> {
  key: () => readonly unknown[]
  fetchPage(offset: number, limit: number, signal: AbortSignal): Promise<OffsetPage<Row>>
  refetchMs?: number
}

export interface PagedRows<Row> {
  total: Ref<number>
  rowAt(index: number): Row | undefined
  show(first: number, last: number): void
  loading: ComputedRef<boolean>
  error: ComputedRef<unknown>
  refetch(): void
}

const pageSize = 100
const lookAhead = 50

/**
 * A list of any length of which only the pages in sight are fetched and kept fresh. Old rows stay
 * on screen until the first page of a new filter has arrived.
 */
export function usePagedRows<Row>(options: Options<Row>): PagedRows<Row> {
  // Numbers, not an object: while a page is scrolled through, nothing here changes.
  const firstPage = ref(0)
  const lastPage = ref(0)
  const total = ref(0)
  const rows = shallowRef(new Map<number, Row[]>())
  const rowsKey = ref('')

  const pages = computed(() =>
    Array.from({ length: lastPage.value - firstPage.value + 1 }, (_, n) => firstPage.value + n),
  )
  const results = useQueries({
    queries: computed(() =>
      pages.value.map((page) => ({
        queryKey: [...options.key(), page],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          options.fetchPage(page * pageSize, pageSize, signal),
        refetchInterval: options.refetchMs ?? 10_000,
      })),
    ),
  }) as Ref<readonly UseQueryReturnType<OffsetPage<Row>, unknown>[]>
  const states = computed(() => results.value.map((result) => unwrap<Row>(result)))

  watch(
    [states, () => JSON.stringify(options.key())] as const,
    ([current, key]) => {
      const arrived = current.some((state) => state.data !== undefined)
      if (!arrived) return
      const next = key === rowsKey.value ? new Map(rows.value) : new Map<number, Row[]>()
      current.forEach((state, index) => {
        const page = pages.value[index]
        if (state.data === undefined || page === undefined) return
        next.set(page, state.data.data)
        total.value = state.data.total
      })
      rowsKey.value = key
      rows.value = next
    },
    { immediate: true },
  )

  return {
    total,
    rowAt: (index) => rows.value.get(Math.floor(index / pageSize))?.[index % pageSize],
    show: (first, last) => {
      firstPage.value = Math.floor(first / pageSize)
      // Who scrolls finds the next page there already; who has just come waits for one page only.
      const ahead = first === 0 ? 0 : Math.min(lookAhead, total.value - 1 - last)
      lastPage.value = Math.floor((last + ahead) / pageSize)
    },
    loading: computed(() => rowsKey.value === '' && states.value.some((state) => state.isPending)),
    error: computed(() =>
      rowsKey.value === '' ? states.value.find((state) => state.error)?.error : undefined,
    ),
    refetch: () => states.value.forEach((state) => void state.refetch()),
  }
}

interface State<Row> {
  data: OffsetPage<Row> | undefined
  error: unknown
  isPending: boolean
  refetch(): Promise<unknown>
}

function unwrap<Row>(result: unknown): State<Row> {
  return result as State<Row>
}

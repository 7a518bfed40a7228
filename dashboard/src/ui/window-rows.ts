import { useDebounceFn, useEventListener, useResizeObserver, useWindowSize } from '@vueuse/core'
import { computed, onMounted, ref, type ComputedRef, type Ref, type ShallowRef } from 'vue'

interface Options {
  /** What holds the rows; it scrolls with the page. */
  body: Readonly<ShallowRef<HTMLElement | null>>
  total: () => number
  rowHeight: () => number
  /** What sticks above the rows and hides those under it. */
  coveredPx: () => number
}

interface WindowRows {
  /** The rows near the window, in order, each with the slot of the pool that shows it. */
  near: ComputedRef<{ index: number; slot: number }[]>
  /** While the page is being scrolled. */
  moving: Ref<boolean>
  reveal(index: number): void
}

/** Rows beyond the edges that are drawn already, so that a flick of the wheel shows no gap. */
const spare = 6

/**
 * Which rows of a long list are near the window. All are equally high, so scrolling is a division: nothing is measured.
 * A row that leaves hands its slot, and with it its elements, to the one that comes in at the other end.
 */
export function useWindowRows({ body, total, rowHeight, coveredPx }: Options): WindowRows {
  const { height: windowHeight } = useWindowSize()
  const bodyTop = ref(0)
  const firstInSight = ref(0)

  // What stands above the table grows when it loads; the rows must follow.
  const measure = (): void => {
    if (body.value) bodyTop.value = Math.round(body.value.getBoundingClientRect().top + scrollY)
    follow()
  }
  const follow = (): void => {
    firstInSight.value = Math.floor((scrollY - bodyTop.value) / rowHeight())
  }
  onMounted(measure)
  useResizeObserver(document.body, measure)
  const moving = ref(false)
  const rest = useDebounceFn(() => (moving.value = false), 150)
  useEventListener(
    window,
    'scroll',
    () => {
      moving.value = true
      follow()
      void rest()
    },
    { passive: true },
  )

  const slots = computed(() => Math.ceil(windowHeight.value / rowHeight()) + 1 + 2 * spare)
  const first = computed(() =>
    Math.max(0, Math.min(firstInSight.value - spare, total() - slots.value)),
  )
  const near = computed(() =>
    Array.from({ length: Math.min(slots.value, total()) }, (_, n) => {
      const index = first.value + n
      return { index, slot: index % slots.value }
    }),
  )

  function reveal(index: number): void {
    const top = bodyTop.value + index * rowHeight()
    const highest = top - coveredPx()
    const lowest = top + rowHeight() - windowHeight.value
    if (scrollY > highest) scrollTo({ top: highest })
    else if (scrollY < lowest) scrollTo({ top: lowest })
  }

  return { near, moving, reveal }
}

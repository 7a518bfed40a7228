import { effectScope } from 'vue'

/**
 * A composable whose result is made once and shared by every component. Rows of a table call these
 * by the hundred; making formatters for each was most of the time of a scroll.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: effectScope(true).run(make) as T }
    return made.value
  }
}

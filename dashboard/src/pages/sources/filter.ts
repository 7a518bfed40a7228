import { computed, type WritableComputedRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { SourceFilter } from '../../api/sources.ts'

const fields = ['search', 'status', 'priority', 'kind', 'tag', 'sort'] as const

/** The filter lives in the address, so a view can be linked, reloaded and gone back to. */
export function useSourceFilter(): WritableComputedRef<SourceFilter> {
  const route = useRoute()
  const router = useRouter()
  return computed({
    get: () => {
      const read = (name: string) => {
        const value = route.query[name]
        return typeof value === 'string' ? value : ''
      }
      return Object.fromEntries(fields.map((name) => [name, read(name)])) as unknown as SourceFilter
    },
    set: (next) => {
      const query = { ...route.query }
      for (const name of fields) {
        if (next[name] === '') delete query[name]
        else query[name] = next[name]
      }
      void router.replace({ query })
    },
  })
}

export const noFilter: SourceFilter = {
  search: '',
  status: '',
  priority: '',
  kind: '',
  tag: '',
  sort: '',
}

export function isFiltered(filter: SourceFilter): boolean {
  return fields.some((name) => name !== 'sort' && filter[name] !== '')
}

import { useQuery } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import { api } from '../api/client.ts'
import { remembered } from './remembered.ts'

const known = remembered<string[]>('offered-paths', [])

/**
 * Which paths this server answers, from its own description. The last known answer is used until
 * the new one is there, so the menu does not jump.
 */
export function useOffered(): ComputedRef<(path: string) => boolean> {
  const description = useQuery({
    queryKey: ['openapi'],
    queryFn: async () => {
      const { paths } = await api.get<{ paths: Record<string, unknown> }>('/api/openapi.json')
      known.value = Object.keys(paths).filter((path) => !path.includes('{'))
      return known.value
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return computed(() => {
    const paths = new Set(description.data.value ?? known.value)
    return (path: string) => paths.has(path)
  })
}

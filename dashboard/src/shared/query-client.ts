import { QueryClient } from '@tanstack/vue-query'
import { ApiError } from '../api/problem.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2000,
      // The browser's idea of being online says nothing about a server on the same machine.
      networkMode: 'always',
      refetchOnWindowFocus: true,
      retry: (failures, error) => !(error instanceof ApiError) && failures < 1,
    },
    mutations: { networkMode: 'always' },
  },
})

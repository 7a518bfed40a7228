import { defineStore } from 'pinia'
import { ref } from 'vue'
import { queryClient } from './query-client.ts'

const retryMs = 3000

/** Knows whether the server answers; while it does not, knocks until it does, then refetches. */
export const useConnection = defineStore('connection', () => {
  const away = ref(false)
  let knocking = false

  function report(answered: boolean): void {
    if (answered && away.value) void recovered()
    if (answered || away.value) return
    away.value = true
    void knock()
  }

  async function knock(): Promise<void> {
    if (knocking) return
    knocking = true
    while (away.value) {
      await new Promise((resolve) => setTimeout(resolve, retryMs))
      try {
        const response = await fetch('/health', { cache: 'no-store' })
        if (response.status < 500) await recovered()
      } catch {
        // Still away; knock again.
      }
    }
    knocking = false
  }

  async function recovered(): Promise<void> {
    if (!away.value) return
    away.value = false
    await queryClient.invalidateQueries()
  }

  return { away, report }
})

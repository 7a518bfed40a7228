import { defineStore } from 'pinia'
import { ref } from 'vue'

export interface Toast {
  id: number
  tone: 'good' | 'bad' | 'plain'
  text: string
  details: string[]
  action?: { label: string; run(): void }
}

export const useToasts = defineStore('toasts', () => {
  const list = ref<Toast[]>([])
  let lastId = 0

  function show(tone: Toast['tone'], text: string, extra: Partial<Toast> = {}): void {
    const id = ++lastId
    list.value = [...list.value.slice(-3), { id, tone, text, details: [], ...extra }]
    setTimeout(() => close(id), tone === 'bad' ? 10_000 : extra.action ? 8000 : 4500)
  }

  function close(id: number): void {
    list.value = list.value.filter((toast) => toast.id !== id)
  }

  return { list, show, close }
})

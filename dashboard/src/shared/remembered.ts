import { ref, watch, type Ref } from 'vue'

/** A ref that survives a reload; a value that no longer parses falls back quietly. */
export function remembered<T>(name: string, fallback: T): Ref<T> {
  const key = `millrace.${name}`
  const value = ref(read(key, fallback)) as Ref<T>
  watch(value, (next) => localStorage.setItem(key, JSON.stringify(next)), { deep: true })
  return value
}

function read<T>(key: string, fallback: T): T {
  const stored = localStorage.getItem(key)
  if (stored === null) return fallback
  try {
    return JSON.parse(stored) as T
  } catch {
    return fallback
  }
}

/** Keeps the last good answer, so a page has something to show while the server is away. */
export function lastKnown<T>(name: string): { read(): T | undefined; keep(value: T): T } {
  const key = `millrace.last.${name}`
  return {
    read: () => {
      const stored = sessionStorage.getItem(key)
      return stored === null ? undefined : (JSON.parse(stored) as T)
    },
    keep: (value) => {
      sessionStorage.setItem(key, JSON.stringify(value))
      return value
    },
  }
}

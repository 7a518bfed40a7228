import { randomUUID } from 'node:crypto'

/** UUID version 7: sorted by creation time, so that new rows land at the end of an index. */
export function newId(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0')
  // The runtime keeps random bytes ready for its own UUIDs; only time and version differ.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

import { createHash } from 'node:crypto'

/** The identity of an item within its source: SHA-256 of title, date and source. */
export function fingerprint(title: string, date: string, sourceId: string): string {
  return createHash('sha256').update(`${title}|${date}|${sourceId}`).digest('hex')
}

import type { Tx } from '../db/pool.ts'
import type { KeptBody } from './packs/record.ts'

/** Page bodies by the hash of their content: the same body is kept once. */
export interface Archive {
  put(hash: string, body: Uint8Array): Promise<void>
  get(hash: string): Promise<Uint8Array | null>
  remove(hashes: readonly string[]): Promise<void>
  /** Where threads add bodies by themselves (`appendBody`), for whoever commits their pages to keep (`keepBodies`). */
  packFolder?(): Promise<string>
  /** Brings what threads added to the disk. */
  settle?(kept: readonly KeptBody[]): Promise<void>
  /** Gives back the room of what was removed, a part at a time. */
  tidy?(now: Date): Promise<{ deleted: number; rewritten: number }>
  /** What the packs themselves say they hold, pack by pack. */
  scan?(): AsyncIterable<PackContent>
  /** Remembers where these bodies are when that was forgotten; gives the hashes of those. */
  restore?(tx: Tx, content: PackContent): Promise<string[]>
}

export interface PackContent {
  bodies: KeptBody[]
  /** All packs there are. */
  packs: readonly string[]
}

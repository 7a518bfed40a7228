/** Page bodies by the hash of their content: the same body is kept once. */
export interface Archive {
  put(hash: string, body: Uint8Array): Promise<void>
  get(hash: string): Promise<Uint8Array | null>
  remove(hash: string): Promise<void>
}

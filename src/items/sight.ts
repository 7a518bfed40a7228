import type { Sighting } from './types.ts'

interface Seen {
  sight: number
  sightAt: Date
  sightRunId: string | null
  strategy: string
}

/** A poor sighting may replace a good one only after the good one was not repeated for so long. */
const staleMs = 30 * 86_400_000
const ownPage = 2

/**
 * Whether what is told now replaces what is kept. The item's own page, read again in the same way by a later run, is
 * always the newer word, also when its reading is a little less sure this time.
 */
export function replaces(known: Seen, draft: Sighting, now: Date): boolean {
  if (draft.sight > known.sight) return true
  if (now.getTime() - known.sightAt.getTime() > staleMs) return true
  if (known.sightRunId === draft.runId) return false
  return (
    draft.sight === known.sight || (draft.sight >= ownPage && draft.strategy === known.strategy)
  )
}

export interface AdaptiveInput {
  /** The interval the schedule asks for; adapting only ever stretches it. */
  baselineMinutes: number
  /** Runs in a row that brought nothing new. */
  unchangedCount: number
  previousHash: string | null
  /** SHA-256 of the start page, when the run fetched it. */
  hash: string | null
  /** Items the run saw, and how many of them were unknown before; null when it does not count. */
  itemsSeen: number | null
  itemsNew: number | null
}

export interface Adapted {
  intervalMinutes: number
  unchangedCount: number
  contentHash: string | null
  why: string
}

const longestMinutes = 24 * 60
/** From this share of new items on, the source earns its baseline again. */
const livelyShare = 0.1

/** The next interval of a source: back to the baseline when it changed, doubled while it does not. */
export function adaptInterval(input: AdaptiveInput): Adapted {
  const { unchangedCount, why } = judge(input)
  const intervalMinutes = stretched(input.baselineMinutes, unchangedCount)
  return {
    intervalMinutes,
    unchangedCount,
    contentHash: input.hash ?? input.previousHash,
    why: `${why}: every ${intervalMinutes} minutes`,
  }
}

export function stretched(baselineMinutes: number, unchangedCount: number): number {
  const doubled = baselineMinutes * 2 ** Math.min(Math.max(unchangedCount, 0), 20)
  return Math.max(baselineMinutes, Math.min(doubled, longestMinutes))
}

/** New items say more than the hash: a rotating banner changes the page, not the news. */
function judge(input: AdaptiveInput): { unchangedCount: number; why: string } {
  const { itemsSeen, itemsNew, unchangedCount } = input
  if (itemsSeen !== null && itemsNew !== null && itemsSeen > 0) {
    const share = itemsNew / itemsSeen
    const counted = `${itemsNew} of ${itemsSeen} items new`
    if (share >= livelyShare) return { unchangedCount: 0, why: counted }
    if (itemsNew > 0) return { unchangedCount: Math.max(0, unchangedCount - 1), why: counted }
    return { unchangedCount: unchangedCount + 1, why: counted }
  }
  if (input.hash === null) return { unchangedCount, why: 'nothing to compare' }
  if (input.previousHash === null) return { unchangedCount: 0, why: 'first look' }
  return input.hash === input.previousHash
    ? { unchangedCount: unchangedCount + 1, why: 'start page unchanged' }
    : { unchangedCount: 0, why: 'start page changed' }
}

import { LeaseLost } from '../../runs/fence.ts'
import { commitBatches, type CommitDeps, type Committed, type RunBatch } from './commit-batches.ts'

/** Writes for all runs of a worker. */
export interface SharedCommits {
  /** Resolves when it is committed; throws `LeaseLost` when the run is not ours any more. */
  commit(batch: RunBatch): Promise<Committed>
}

/** Pages in one transaction: more would only make everybody wait longer. */
const mostPages = 400
/** While one waits for a lock or the disk, the other goes on. */
const mostWriters = 2

interface Waiting {
  batch: RunBatch
  resolve(committed: Committed): void
  reject(error: unknown): void
}

/**
 * Whoever has something to write while a transaction is under way shares the next one: hundreds of slow sites, each
 * with a page now and then, cost a few commits a second, not hundreds.
 */
export function createSharedCommits(deps: CommitDeps): SharedCommits {
  const queue: Waiting[] = []
  let writers = 0

  const together = async (group: readonly Waiting[]): Promise<void> => {
    const answers = await commitBatches(
      deps,
      group.map(({ batch }) => batch),
    )
    for (const [index, { batch, resolve, reject }] of group.entries()) {
      const committed = answers[index] ?? null
      if (committed === null) reject(new LeaseLost(batch.run.id))
      else resolve(committed)
    }
  }
  const write = async (group: readonly Waiting[]): Promise<void> => {
    try {
      await together(group)
    } catch (error) {
      // What the database will not take from one run must not cost the others theirs.
      if (group.length > 1 && isRefusal(error)) for (const one of group) await write([one])
      else for (const { reject } of group) reject(error)
    }
  }
  const serve = async (): Promise<void> => {
    writers++
    while (queue.length > 0) await write(nextGroup(queue))
    writers--
  }
  return {
    commit: (batch) =>
      new Promise((resolve, reject) => {
        queue.push({ batch, resolve, reject })
        if (writers < mostWriters) void serve()
      }),
  }
}

function nextGroup(queue: Waiting[]): Waiting[] {
  let pages = 0
  const end = queue.findIndex(({ batch }, index) => {
    pages += batch.outcomes.length
    return index > 0 && pages > mostPages
  })
  return queue.splice(0, end === -1 ? queue.length : end)
}

/** A conflict, or data it will not have; a database that is away refuses nobody in particular. */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(?:2[123]|40)/.test(code)
}

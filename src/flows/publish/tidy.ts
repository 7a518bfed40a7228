import type { Duty } from '../../db/leader.ts'
import type { Sql } from '../../db/pool.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { startLoop } from '../../kernel/loop.ts'
import { refreshReputation } from '../../publish/classify/reputation.ts'
import { compactChanges, dropUnusedVersions } from '../../publish/deliveries/changes.ts'

export interface TidyDeps {
  sql: Sql
  clock: Clock
  log: Log
  /** How long every single change is kept; after that only the last of each item. */
  keepDays?: number
}

const everyMs = 3_600_000
const defaultKeepDays = 30
const batch = 5000

/** Once an hour: reputation of the sources, and room where later changes replaced earlier ones. */
export function startTidying(deps: TidyDeps): Duty {
  return startLoop({
    name: 'tidy publishing',
    everyMs,
    log: deps.log,
    runOnce: async () => await tidyOnce(deps),
  })
}

export async function tidyOnce({ sql, clock, keepDays }: TidyDeps): Promise<void> {
  const now = clock.now()
  await refreshReputation(sql, now)
  const before = new Date(now.getTime() - (keepDays ?? defaultKeepDays) * 86_400_000)
  while ((await compactChanges(sql, before, batch)) === batch);
  while ((await dropUnusedVersions(sql, before, batch)) === batch);
}

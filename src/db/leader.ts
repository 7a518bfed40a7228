import { createHash } from 'node:crypto'
import { startLoop } from '../kernel/loop.ts'
import { messageOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { connect, type Db } from './pool.ts'

export interface Duty {
  stop(): Promise<void>
}

export interface SingletonDuty {
  name: string
  start(): Promise<Duty> | Duty
}

export interface Leadership {
  leads(duty: string): boolean
  stop(): Promise<void>
}

const pollMs = 1000
/** All our advisory locks share this first number, so that they can be listed. */
const lockSpace = 0x6d6c // "ml"
const namePrefix = 'millrace-leader:'

/**
 * Runs each duty in exactly one process: whoever holds its advisory lock. A dead process's connection closes, its
 * locks are free, and another process takes the duties over at its next poll. The locks live on one connection;
 * if that is lost, the duties stop here first, because another process may already lead.
 */
export function startLeadership(options: {
  databaseUrl: string
  instanceId: string
  duties: SingletonDuty[]
  log: Log
}): Leadership {
  const { log } = options
  const sql = connect(options.databaseUrl, {
    max: 1,
    applicationName: namePrefix + options.instanceId,
  })
  const leading = new Map<string, Duty>()
  let backend: number | null = null

  const resignAll = async (): Promise<void> => {
    const duties = [...leading.entries()].reverse()
    leading.clear()
    for (const [name, duty] of duties) {
      await duty
        .stop()
        .catch((error: unknown) =>
          log.warn({ duty: name, reason: messageOf(error) }, 'duty did not stop cleanly'),
        )
    }
  }

  const runOnce = async (): Promise<void> => {
    try {
      const [connection] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
      if (backend !== null && connection?.pid !== backend) await resignAll()
      backend = connection?.pid ?? null
      for (const duty of options.duties) {
        if (leading.has(duty.name)) continue
        const [lock] = await sql<{ won: boolean }[]>`
          select pg_try_advisory_lock(${lockSpace}, ${lockNumber(duty.name)}) as won`
        if (!lock?.won) continue
        log.info({ duty: duty.name }, 'leading')
        leading.set(duty.name, await duty.start())
      }
    } catch (error) {
      if (leading.size > 0) log.warn({ reason: messageOf(error) }, 'lost the leader connection')
      backend = null
      await resignAll()
      throw error
    }
  }

  const loop = startLoop({ name: 'leadership', runOnce, everyMs: pollMs, log })
  return {
    leads: (duty) => leading.has(duty),
    stop: async () => {
      await loop.stop()
      await resignAll()
      await sql.end({ timeout: 1 })
    },
  }
}

/** Which process leads each duty right now, as the database's own lock table says. */
export async function listLeaders(
  db: Db,
  duties: readonly string[],
): Promise<{ duty: string; holder: string | null }[]> {
  const rows = await db<{ lock: number; holder: string }[]>`
    select l.objid::bigint::int as lock, replace(a.application_name, ${namePrefix}, '') as holder
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.classid = ${lockSpace} and l.granted
      and l.database = (select oid from pg_database where datname = current_database())`
  return duties.map((duty) => ({
    duty,
    holder: rows.find((row) => row.lock === lockNumber(duty))?.holder ?? null,
  }))
}

/** A positive 31-bit number, so that it reads the same in the lock table. */
function lockNumber(duty: string): number {
  return createHash('sha256').update(duty).digest().readUInt32BE(0) >>> 1
}

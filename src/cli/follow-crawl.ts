import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pc from 'picocolors'
import type { Sql } from '../db/pool.ts'
import type { RunProgress } from '../runs/types.ts'

const pollMs = 250
const itemsPerRead = 500

interface RunState {
  status: string
  error_message: string | null
  progress: RunProgress | null
  counters: Record<string, number> | null
}

/** Writes items as they are committed and keeps one line of progress; gives the reason when the run failed. */
export async function follow(
  sql: Sql,
  runId: string,
  lines: Lines,
  quiet: boolean,
  stopping: AbortSignal,
): Promise<string | null> {
  for (;;) {
    const [run] = await sql<RunState[]>`
      select status, error_message, progress, counters from runs where id = ${runId}`
    await lines.write()
    const ended = run === undefined || !['pending', 'running'].includes(run.status)
    const last = ended || stopping.aborted
    if (!quiet)
      showProgress(
        run?.status === 'completed' ? 100 : (run?.progress?.percent ?? 0),
        run?.counters ?? run?.progress?.counters ?? {},
        last,
      )
    if (ended) return run?.status === 'completed' ? null : (run?.error_message ?? 'it was stopped')
    if (last) return null
    await sleep(pollMs, undefined, { signal: stopping }).catch(() => {})
  }
}

export interface Lines {
  /** Writes the items that were committed since the last call. */
  write(): Promise<void>
}

export function createLines(sql: Sql, runId: string, out: Writable): Lines {
  let last = '0'
  return {
    write: async () => {
      while (!out.destroyed) {
        const rows = await sql<{ id: string; url: string; item: Record<string, unknown> }[]>`
          select r.id, p.final_url as url, r.item from raw_items r join pages p on p.id = r.page_id
          where r.run_id = ${runId} and r.id > ${last} order by r.id limit ${itemsPerRead}`
        for (const row of rows) {
          const line = `${JSON.stringify({ page: row.url, ...row.item })}\n`
          if (!out.write(line)) await once(out, 'drain').catch(() => {})
          if (out.destroyed) return
        }
        last = rows.at(-1)?.id ?? last
        if (rows.length < itemsPerRead) return
      }
    },
  }
}

function showProgress(percent: number, counters: Record<string, number>, ended: boolean): void {
  const { fetched = 0, unchanged = 0, failed = 0, refused = 0, items = 0 } = counters
  const line = `${percent}% · ${fetched + unchanged} pages · ${items} items · ${failed} failed · ${refused} refused`
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001b[2K${pc.cyan('crawling')} ${line}${ended ? '\n' : ''}`)
  else if (ended) process.stderr.write(`${line}\n`)
}

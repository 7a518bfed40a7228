// The limit: a table, an index, and nothing that would notice a dead worker.
import { connect } from '../../src/db/pool.ts'
import { serve } from './contender.ts'

const sql = connect(process.argv[2] ?? '', { max: 10 })

serve({
  prepare: async () => {
    await sql`
      create table if not exists jobs (
        id bigint generated always as identity primary key,
        payload jsonb not null,
        status text not null default 'pending',
        priority integer not null default 0,
        created_at timestamptz not null default now()
      )`
    await sql`create index if not exists jobs_pending on jobs (priority desc, id) where status = 'pending'`
  },
  enqueue: async (jobs, batch) => {
    for (let i = 0; i < jobs; i += batch) {
      const rows = Array.from({ length: Math.min(batch, jobs - i) }, (_, n) => ({ n: i + n }))
      await sql`
        insert into jobs (payload) select value from jsonb_array_elements(${sql.json(rows)})`
    }
  },
  enqueueOne: async (queuedAt) => {
    await sql`insert into jobs (payload) values (${sql.json({ queuedAt })})`
  },
  work: async (batch, onJob) => {
    const stopping = new AbortController()
    const loop = (async () => {
      while (!stopping.signal.aborted) {
        const claimed = await sql<{ id: string; payload: { queuedAt?: number } }[]>`
          update jobs set status = 'running' where id in (
            select id from jobs where status = 'pending' order by priority desc, id
            limit ${batch} for update skip locked)
          returning id, payload`
        if (claimed.length === 0) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          continue
        }
        for (const job of claimed) onJob(job.payload.queuedAt ?? null)
        await sql`
          update jobs set status = 'completed' where id = any (${claimed.map((job) => job.id)}::bigint[])`
      }
    })()
    return async () => {
      stopping.abort()
      await loop
    }
  },
  end: () => sql.end({ timeout: 1 }),
})

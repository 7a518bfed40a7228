import { startEmbeddedPostgres } from '../../src/db/embedded/launch.ts'
import { migrate } from '../../src/db/migrate.ts'
import { connect } from '../../src/db/pool.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { generateEvents } from './generate.ts'
import { timed } from './measure.ts'
import { fillOurTables } from './our-tables.ts'
import { fillSpecTables } from './spec-tables.ts'

/** Nothing is measured while filling, so the server may forget everything in a crash. */
const hurried = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '60GB',
  shared_buffers: '1GB',
}

/** Fills a data folder with the same events in our tables and in the specification's, by a server of its own. */
export async function fillDatabase(
  dataDir: string,
  events: number,
  end: Date,
  say: (name: string, value: number, unit: string) => void,
): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: hurried })
  const sql = connect(server.url, { max: 1 })
  try {
    await migrate(sql)
    await sql.unsafe(`set statement_timeout = 0; set work_mem = '512MB'; set hash_mem_multiplier = 4;
      set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2; set synchronous_commit = off`)
    let made = 0
    say(
      'generate_s',
      (await timed(async () => {
        made = await generateEvents(sql, events, end)
      })) / 1000,
      's',
    )
    say('events', made, '')
    say('fill_spec_s', (await timed(() => fillSpecTables(sql))) / 1000, 's')
    say('fill_ours_s', (await timed(() => fillOurTables(sql))) / 1000, 's')
    await sql.unsafe('drop table made, made_articles; checkpoint')
  } finally {
    await sql.end({ timeout: 5 })
    await server.stop()
  }
}

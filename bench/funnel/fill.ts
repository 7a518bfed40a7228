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
  // A connection each, for two cores.
  const [ours, specs] = [connect(server.url, { max: 1 }), connect(server.url, { max: 1 })]
  const seconds = async (work: () => Promise<unknown>): Promise<number> =>
    (await timed(work)) / 1000
  try {
    await migrate(ours)
    await ours.unsafe(settings)
    let made = 0
    const generating = await seconds(async () => {
      made = await generateEvents(ours, events, end)
    })
    say('events', made, '')
    say('generate_s', generating, 's')
    // Not earlier: a connection that idles for a minute is closed, and with it go its settings.
    await specs.unsafe(settings)
    await Promise.all([
      seconds(() => fillSpecTables(specs)).then((took) => say('fill_spec_s', took, 's')),
      seconds(() => fillOurTables(ours)).then((took) => say('fill_ours_s', took, 's')),
    ])
    await ours.unsafe('drop table made, made_articles')
    await ours.unsafe('checkpoint')
  } finally {
    await Promise.all([ours.end({ timeout: 5 }), specs.end({ timeout: 5 })])
    await server.stop()
  }
}

const settings = `set statement_timeout = 0; set work_mem = '512MB'; set hash_mem_multiplier = 4;
  set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2; set synchronous_commit = off`

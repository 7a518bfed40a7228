import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { version } from '../api/version.ts'
import { openArchive } from '../archive/open.ts'
import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { exportWarc } from '../flows/export-warc.ts'
import { Stop } from '../kernel/errors.ts'
import { silentLog } from '../kernel/log.ts'
import { getRun } from '../runs/history.ts'

/** Writes everything a run fetched into one file that web archives read. */
export async function exportRun(runId: string, options: { output?: string }): Promise<void> {
  const config = loadConfig()
  const { sql, close } = await openDatabase(config, 'export-warc', silentLog)
  try {
    await migrate(sql)
    if (!/^[0-9a-f-]{36}$/i.test(runId) || (await getRun(sql, runId)) === null)
      throw new Stop(`There is no run ${runId}.`)
    const output = options.output ?? `${runId}.warc.gz`
    const archive = openArchive(config, sql)
    const records = exportWarc({ db: sql, archive, software: `Millrace ${version}` }, runId)
    await pipeline(Readable.from(records), createWriteStream(output))
    console.log(`wrote ${output}`)
  } finally {
    await close()
  }
}

// A process that does nothing but deliver, to be killed by the test: database url, redis url.
import { connect } from '../../src/db/pool.ts'
import { createSenders } from '../../src/flows/publish/senders.ts'
import { startDelivering } from '../../src/flows/publish/start-delivering.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'

const [databaseUrl = '', redisUrl = ''] = process.argv.slice(2)
const sql = connect(databaseUrl, { max: 4 })
const { senders, close } = createSenders({
  redisUrl,
  allowPrivate: true,
  allowedHosts: new Set(),
  userAgent: 'Millrace/test',
  log: silentLog,
})
await startDelivering({
  sql,
  clock: systemClock,
  log: silentLog,
  senders,
  close,
  batchSize: 10,
  leaseMs: 600,
  policy: {
    retry: { baseMs: 10, maxMs: 50, jitter: 0 },
    pause: { baseMs: 10, maxMs: 50 },
    disableAfter: null,
  },
})
process.stdout.write('delivering\n')

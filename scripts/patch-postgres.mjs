// Repairs three faults of postgres.js 3.4.9 that a crash of the database server brings out.
//
// `npm install` runs this. When all connections close in one tick, a query may be handed to a connection whose socket is about to go. Its
// write is then either made on no socket at all (a TypeError that nobody can catch ends the process), or its timer
// is cancelled but not forgotten (every later query on that connection waits until it times out). And a connection that closes while it
// still asks for the array types rejects a promise nobody holds, which ends the process; the next one asks again.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const repairs = [
  {
    before: `    if (terminated)
      return queryError(`,
    after: `    if (terminated || !socket)
      return queryError(`,
  },
  {
    before: `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    after: `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)`,
  },
  {
    before: `        return fetchArrayTypes()
`,
    after: `        return fetchArrayTypes().catch(() => {})
`,
  },
]

const file = fileURLToPath(import.meta.resolve('postgres').replace(/index\.js$/, 'connection.js'))
let text = readFileSync(file, 'utf8')
for (const { before, after } of repairs) {
  if (text.includes(after)) continue
  if (!text.includes(before)) {
    console.error(
      `postgres.js has changed: check whether scripts/patch-postgres.mjs is still needed`,
    )
    process.exit(1)
  }
  text = text.replace(before, after)
}
writeFileSync(file, text)

// Records batches of stage events for the test of killed writers, and says which of them are safely stored.
import { connect, transaction } from '../../src/db/pool.ts'
import { recordStage } from '../../src/stages/record.ts'
import { batchOf } from './writer-batches.ts'

const [url = '', first = '0', last = '0'] = process.argv.slice(2)
const sql = connect(url, { max: 1 })
for (let batch = Number(first); batch < Number(last); batch++) {
  await transaction(sql, (tx) => recordStage(tx, batchOf(batch)))
  process.stdout.write(`stored ${batch}\n`)
}
await sql.end()

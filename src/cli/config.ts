import Table from 'cli-table3'
import { describeConfig, loadConfig } from '../config.ts'

export function printConfig(options: { json?: boolean }): void {
  const rows = describeConfig(loadConfig())
  if (options.json) {
    console.log(JSON.stringify(rows, null, 2))
    return
  }
  const table = new Table({
    head: ['variable', 'value', 'from', 'what it is for'],
    style: { head: [], border: [] },
  })
  for (const row of rows) table.push([row.variable, row.value, row.origin, row.about])
  console.log(table.toString())
}

// `npm run bench:lifecycle`: import sources through the API and time until every one of them has its right job, with
// and without Redis. `-- --large` adds the step of 100,000 sources, `-- --sizes 1000,5000` takes others.
import { noRedis, startRedis } from '../../test/harness/redis.ts'
import { measureImport, type Measured } from './import.ts'

const aimSeconds = 20
const aimSources = 10_000

const redis = noRedis ? null : await startRedis()
const figures: Record<string, number> = {}
const perSource: Record<number, number> = {}
try {
  for (const size of sizes()) {
    const measured = await measureImport(size, null)
    perSource[size] = measured.totalMs / size
    note(`${size}`, measured)
  }
  if (redis === null) console.log('redis-server is not installed: measured without Redis only')
  else note(`${aimSources}_redis`, await measureImport(aimSources, redis.url))
} finally {
  await redis?.remove()
}

const ratios: Record<string, number> = {}
for (const name of [`${aimSources}`, `${aimSources}_redis`]) {
  const seconds = figures[`${name}_total_s`]
  if (seconds !== undefined) ratios[`${name}_of_aim`] = round(seconds / aimSeconds)
}
const measuredSizes = Object.keys(perSource).map(Number)
const smallest = Math.min(...measuredSizes)
for (const size of measuredSizes) {
  if (size !== smallest)
    ratios[`per_source_${size}_to_${smallest}`] = round(
      (perSource[size] ?? 0) / (perSource[smallest] ?? 1),
    )
}
console.log(JSON.stringify({ bench: 'lifecycle', ratios, figures }))

function note(name: string, { importMs, totalMs, sources }: Measured): void {
  figures[`${name}_import_s`] = round(importMs / 1000)
  figures[`${name}_total_s`] = round(totalMs / 1000)
  figures[`${name}_per_second`] = Math.round(sources / (totalMs / 1000))
  console.log(
    `${name.replace('_redis', ' with Redis').padEnd(18)} import ${(importMs / 1000).toFixed(2)} s, all jobs right after ${(totalMs / 1000).toFixed(2)} s`,
  )
}

function sizes(): number[] {
  const at = process.argv.indexOf('--sizes')
  if (at > 0) return (process.argv[at + 1] ?? '').split(',').map(Number)
  return process.argv.includes('--large') ? [1000, aimSources, 100_000] : [1000, aimSources]
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

// `npm test`: makes sure the services that tests use are there, builds what tests run, then runs every test.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildServer } from './build-server.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const viteProgram = 'node_modules/vite/bin/vite.js'
const needed = [
  {
    name: 'redis-server',
    package: 'redis-server',
    paths: [
      '/usr/bin/redis-server',
      '/usr/local/bin/redis-server',
      '/opt/homebrew/bin/redis-server',
    ],
  },
  {
    name: 'chromium',
    package: 'chromium',
    paths: [
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
  },
]

provideServices()
const dashboard = start([viteProgram, 'build', 'dashboard', '--logLevel', 'warn'])
if (buildServer() !== 0) fail('the server')
if ((await dashboard) !== 0) fail('the dashboard')
const reports = mkdtempSync(join(tmpdir(), 'millrace-test-'))
const given = process.argv.slice(2)
if (given.length > 0) finish([await vitest('given', given)])
// Tests beside the code share the cores, one file on each; vitest alone would leave one core free. Those that start,
// kill and time whole processes come after, in two lanes of one file at a time: most of them wait (for a polite crawl,
// for a lease to end), and next to many busy neighbours they would measure the neighbours.
const beside = await vitest('beside', [
  '--exclude',
  'test/**',
  `--maxWorkers=${availableParallelism()}`,
])
// What runs in the first lane takes about as long as all the rest.
const first = ['crawl', 'extract', 'lifecycle', 'publish', 'queue', 'stages'].map(
  (folder) => `test/${folder}`,
)
const lanes = await Promise.all([
  vitest('first lane', [...first.map((folder) => `${folder}/`), '--no-file-parallelism']),
  vitest('second lane', [
    'test/',
    '--no-file-parallelism',
    ...first.flatMap((folder) => ['--exclude', `${folder}/**`]),
  ]),
])
finish([beside, ...lanes])

async function vitest(name, args) {
  const failures = join(reports, name)
  const reporters = ['--reporter=default', '--reporter=./scripts/test-failures.mjs']
  const command = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args]
  const status = await start(command, { MILLRACE_TEST_FAILURES: failures })
  return { name, failures, status }
}

/** Runs a program of Node and gives its exit code. */
function start(command, env = {}) {
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** Failures are told once more at the very end: three runs print a lot, and a log is read from its end. */
function finish(runs) {
  const failed = runs.filter((run) => run.status !== 0)
  for (const { name, failures, status } of failed) {
    const told = existsSync(failures) ? readFileSync(failures, 'utf8') : '  it ended early'
    console.error(`\nFailed in "${name}" (exit ${status}):\n${told}`)
  }
  rmSync(reports, { recursive: true, force: true })
  process.exit(failed[0]?.status ?? 0)
}

function provideServices() {
  const missing = needed.filter((service) => !isPresent(service))
  if (missing.length === 0) return
  const packages = missing.map((service) => service.package)
  if (mayInstall()) {
    console.log(`Installing ${packages.join(' and ')} for the tests…`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n']
    for (const args of [
      ['apt-get', 'update', '-qq'],
      ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages],
    ]) {
      const [command, ...rest] = [...prefix, ...args]
      spawnSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'], env })
    }
  }
  const still = needed.filter((service) => !isPresent(service))
  if (still.length === 0) return
  const names = still.map((service) => service.name).join(' and ')
  console.error(
    `The tests need ${names}. On Debian or Ubuntu: sudo apt-get install ${still.map((s) => s.package).join(' ')}`,
  )
  if (process.env.CI === 'true') process.exit(1)
  console.error('Tests that use them are skipped.')
}

function isPresent(service) {
  return service.paths.some((path) => existsSync(path))
}

function mayInstall() {
  if (!existsSync('/usr/bin/apt-get')) return false
  if (process.getuid?.() === 0) return true
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
}

function fail(what) {
  console.error(`Building ${what} failed.`)
  process.exit(1)
}

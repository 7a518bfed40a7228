// `npm start`: builds what is missing or out of date, then runs the server in this very process.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildServer, isNewerThan, isServerBuilt, serverProgram } from './build-server.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

if (!isServerBuilt()) build('the server', buildServer)
if (
  !isNewerThan(join(root, 'dashboard', 'dist', 'index.html'), [
    'dashboard/src',
    'dashboard/index.html',
    'contract',
  ])
)
  build('the dashboard', buildDashboard)

const [command = 'serve', ...rest] = process.argv.slice(2)
process.argv = [process.argv[0], serverProgram, command, ...rest]
await import(pathToFileURL(serverProgram).href)

function build(what, work) {
  process.stdout.write(`Building ${what}…\n`)
  const status = work()
  if (status !== 0) process.exit(status)
}

function buildDashboard() {
  const args = ['node_modules/vite/bin/vite.js', 'build', 'dashboard', '--logLevel', 'warn']
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
}

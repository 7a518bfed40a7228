// `npm start`: builds what is missing or out of date, then runs the server in this very process.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const server = join(root, 'dist', 'src', 'main.js')

buildIfStale(
  'the server',
  server,
  ['src', 'contract', 'demo'],
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
)
buildIfStale(
  'the dashboard',
  join(root, 'dashboard', 'dist', 'index.html'),
  ['dashboard/src', 'dashboard/index.html', 'contract'],
  ['node_modules/vite/bin/vite.js', 'build', 'dashboard', '--logLevel', 'warn'],
)

const [command = 'serve', ...rest] = process.argv.slice(2)
process.argv = [process.argv[0], server, command, ...rest]
await import(pathToFileURL(server).href)

function buildIfStale(what, output, inputs, args) {
  const built = existsSync(output) ? statSync(output).mtimeMs : 0
  if (built > 0 && newest(inputs.map((input) => join(root, input))) <= built) return
  process.stdout.write(`Building ${what}…\n`)
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (result.status !== 0) process.exit(result.status ?? 1)
}

function newest(paths) {
  let latest = 0
  for (const path of paths) {
    if (!existsSync(path)) continue
    const stats = statSync(path)
    latest = Math.max(latest, stats.mtimeMs)
    if (stats.isDirectory())
      latest = Math.max(latest, newest(readdirSync(path).map((name) => join(path, name))))
  }
  return latest
}

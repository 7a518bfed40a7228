// `npm run dev`: the server restarts on a change, the dashboard reloads in the browser and talks to it through a proxy.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const children = [
  spawn(
    process.execPath,
    [
      'node_modules/tsx/dist/cli.mjs',
      'watch',
      '--clear-screen=false',
      'src/main.ts',
      'serve',
      ...process.argv.slice(2),
    ],
    { cwd: root, stdio: 'inherit' },
  ),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'dashboard'], {
    cwd: root,
    stdio: 'inherit',
  }),
]

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => children.forEach((child) => child.kill(signal)))
}
await Promise.race(children.map((child) => new Promise((resolve) => child.once('exit', resolve))))
children.forEach((child) => child.kill('SIGTERM'))

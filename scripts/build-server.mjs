// The server as JavaScript in dist/: built when the sources are newer than the last good build.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
// tsc leaves untouched what did not change, so the time of a build is kept beside it.
const stamp = join(root, 'dist', 'built')
const lock = join(root, '.cache', 'build.lock')
const patienceMs = 180_000

export const serverProgram = join(root, 'dist', 'src', 'main.js')

export function isServerBuilt() {
  return isNewerThan(stamp, ['src', 'contract', 'demo', 'tsconfig.json', 'tsconfig.build.json'])
}

/** Gives the exit code of the compiler. Types are for `npm run types` to check: that takes twice the time of the rest. */
export function buildServer() {
  const started = new Date()
  rmSync(stamp, { force: true })
  const args = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck']
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) return status ?? 1
  writeFileSync(stamp, '')
  utimesSync(stamp, started, started)
  return 0
}

/** For several processes at once: one builds, the others wait for it. False when it cannot be built. */
export async function provideServer() {
  const deadline = Date.now() + patienceMs
  while (!isServerBuilt()) {
    if (Date.now() > deadline) return false
    if (!takeLock()) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      continue
    }
    try {
      return isServerBuilt() || buildServer() === 0
    } finally {
      rmSync(lock, { recursive: true, force: true })
    }
  }
  return true
}

export function isNewerThan(output, inputs) {
  if (!existsSync(output)) return false
  return newest(inputs.map((input) => join(root, input))) <= statSync(output).mtimeMs
}

/** A folder is made by exactly one process; one that is older than any build was left by a killed one. */
function takeLock() {
  mkdirSync(dirname(lock), { recursive: true })
  const held = statSync(lock, { throwIfNoEntry: false })
  if (held !== undefined && Date.now() - held.mtimeMs > patienceMs)
    rmSync(lock, { recursive: true, force: true })
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

function newest(paths) {
  let latest = 0
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined || path.endsWith('.test.ts')) continue
    if (stats.isDirectory())
      latest = Math.max(latest, newest(readdirSync(path).map((name) => join(path, name))))
    else latest = Math.max(latest, stats.mtimeMs)
  }
  return latest
}

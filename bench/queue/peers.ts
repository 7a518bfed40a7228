import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagePath } from '../../src/kernel/package-root.ts'

const versions = { 'graphile-worker': '0.18.0', 'pg-boss': '12.38.0' }
/** Recurrence rules, which the benchmark does not use: any release will do, and not every registry has the newest. */
const overrides = { 'rrule-temporal': '2.2.7' }
/** Both peers need a newer Node than Millrace does; it comes as a package too. */
const nodeVersion = '24.9.0'

export interface Peers {
  folder: string
  node: string
}

/** Installs the peers beside the product, never into it: only the benchmark knows them. */
export function installPeers(): Peers {
  const folder = packagePath('.cache', 'bench', 'queue')
  const nodePackage = `node-${process.platform}-${process.arch}`
  const node = join(folder, 'node_modules', nodePackage, 'bin', 'node')
  if (!existsSync(join(folder, 'node_modules', 'pg-boss')) || !existsSync(node)) {
    mkdirSync(folder, { recursive: true })
    const dependencies = { ...versions, [nodePackage]: nodeVersion }
    const manifest = { private: true, dependencies, overrides }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return { folder, node }
}

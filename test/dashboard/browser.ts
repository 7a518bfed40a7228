import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { packagePath } from '../../src/kernel/package-root.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = places.find((place) => existsSync(place))

/** Set when tests must be skipped; where a missing browser is a failure, launching says so instead. */
export const noBrowser =
  executablePath === undefined && process.env['CI'] !== 'true'
    ? `no browser: install chromium (looked for ${places.join(', ')})`
    : null

export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`no browser among ${places.join(', ')}`)
  return await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

/** The server serves what was built; a checkout that was never built gets that done here. */
export function buildDashboard(): void {
  if (existsSync(packagePath('dashboard', 'dist', 'index.html'))) return
  execFileSync(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', 'dashboard', '--logLevel', 'warn'],
    { cwd: packagePath(), stdio: 'inherit' },
  )
}

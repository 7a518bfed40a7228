import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The configured signing key, or one made once and kept, so that sessions outlive a restart. */
export function jwtSecret(configured: string | null, dataDir: string): string {
  if (configured !== null) return configured
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'jwt.secret')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

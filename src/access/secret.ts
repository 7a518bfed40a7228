import { join } from 'node:path'
import { keptSecret } from '../kernel/kept-secret.ts'

/** The configured signing key, or one made once and kept, so that sessions outlive a restart. */
export function jwtSecret(configured: string | null, dataDir: string): string {
  return configured ?? keptSecret(join(dataDir, 'jwt.secret'), 32)
}

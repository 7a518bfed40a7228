import { isRole } from '../access/claims.ts'
import { createTokens } from '../access/tokens.ts'
import { jwtSecret } from '../access/secret.ts'
import { loadConfig } from '../config.ts'
import { Stop } from '../kernel/errors.ts'

export function printToken(options: { name: string; role: string; hours: string }): void {
  const hours = Number(options.hours)
  if (!isRole(options.role))
    throw new Stop(`--role: "${options.role}" is none of viewer, operator, admin`)
  if (!(hours > 0 && hours <= 24 * 365)) throw new Stop('--hours: between 0 and 8760')
  const config = loadConfig()
  const tokens = createTokens(jwtSecret(config.jwtSecret, config.dataDir))
  console.log(tokens.signService(options.name, options.role, hours * 3_600_000))
}

import { createLoginLink, ensureAdmin, findUserByEmail } from '../access/users.ts'
import { loadConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { Stop } from '../kernel/errors.ts'
import { silentLog } from '../kernel/log.ts'

const validMs = 24 * 3_600_000

export async function printLoginLink(options: { email?: string }): Promise<void> {
  const config = loadConfig()
  const database = await openDatabase(config, 'login-link', silentLog)
  try {
    const user =
      options.email === undefined
        ? await ensureAdmin(database.sql, config.adminEmail, null)
        : await findUserByEmail(database.sql, options.email)
    if (user === null) throw new Stop(`There is no user ${options.email}.`)
    const base = config.publicUrl ?? `http://localhost:${config.port}`
    console.log(`${base}/login?token=${await createLoginLink(database.sql, user.id, validMs)}`)
  } finally {
    await database.close()
  }
}

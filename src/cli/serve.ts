import pc from 'picocolors'
import { startApp, type App } from '../app.ts'
import { loadConfig, type Config } from '../config.ts'
import { createSources, demoFirstRunsMs } from '../sources/change.ts'
import { sourceInput } from '../sources/fields.ts'

/** Runs until it is told to stop; a second signal ends it at once. */
export async function serve(options: { roles?: string; demo?: boolean }): Promise<void> {
  const env =
    options.roles === undefined ? process.env : { ...process.env, MILLRACE_ROLES: options.roles }
  const config = loadConfig(env)
  const app = await startApp(config)
  if (options.demo) await loadDemo(app).catch(stopAnd(app))
  process.stdout.write(banner(app, config))

  const signal = await stopSignal()
  const impatient = (): void => process.exit(130)
  process.once('SIGINT', impatient).once('SIGTERM', impatient)
  if (process.stdout.isTTY)
    process.stdout.write(pc.dim('\nStopping; press Ctrl-C again to end at once.\n'))
  app.log.info({ signal }, 'stopping')
  await app.stop()
  process.exit(0)
}

async function loadDemo(app: App): Promise<void> {
  const sources = await app.context.demo.load()
  await createSources(
    app.context.sql,
    sources.map((source) => sourceInput.parse(source.fields)),
    {
      now: app.context.clock.now(),
      by: 'user',
      autoManage: app.context.config.autoManageNewSources,
      firstRunsWithinMs: demoFirstRunsMs,
    },
  )
}

/** What was started does not keep the program alive when it cannot go on. */
function stopAnd(app: App): (error: unknown) => Promise<never> {
  return async (error) => {
    await app.stop()
    throw error
  }
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
}

function banner(app: App, config: Config): string {
  const database = app.database.embedded
    ? 'PostgreSQL, embedded'
    : 'PostgreSQL, external (DATABASE_URL)'
  const redis =
    config.redisUrl === null
      ? 'not used; set REDIS_URL to share source events'
      : 'external (REDIS_URL)'
  const lines = [
    [
      '',
      pc.bold(pc.cyan('Millrace')) +
        (app.url === null ? ' is running' : ` is running at ${pc.underline(app.url)}`),
    ],
    ['log in once', app.loginUrl],
    ['data folder', config.dataDir],
    ['database', database],
    ['redis', redis],
    ['roles', config.roles.join(', ')],
  ]
  const rows = lines
    .filter(([, value]) => value !== null)
    .map(([label, value]) =>
      label === '' ? `  ${value}` : `  ${pc.dim(String(label).padEnd(12))}${value}`,
    )
  return `\n${rows.join('\n')}\n\n`
}

import { Command } from 'commander'
import type { CrawlOptions } from './crawl.ts'
import { version } from '../api/version.ts'

/** Each command loads its own code only when it is chosen, so that `millrace --help` is instant. */
export async function runCommand(argv: string[]): Promise<void> {
  const program = new Command('millrace')
    .description('Keeps web sources crawled and turns them into articles and calendar events.')
    .version(version)
    .showSuggestionAfterError()

  program
    .command('serve')
    .description('run the API, the dashboard and the background duties')
    .option('--roles <list>', 'duties of this process: api,scheduler,worker,relay')
    .option('--demo', 'also start the demo web and register its sites')
    .action(async (options: { roles?: string; demo?: boolean }) => {
      const { serve } = await import('./serve.ts')
      await serve(options)
    })

  program
    .command('migrate')
    .description('bring the database schema up to date')
    .action(async () => (await import('./migrate.ts')).migrateOnce())

  const reconcile = program
    .command('reconcile')
    .description('compare every source with its job now and mend what differs')
    .option('--json', 'print the report as JSON')
    .action(async (options: { json?: boolean }) =>
      (await import('./reconcile.ts')).reconcileOnce(options),
    )

  reconcile
    .command('stages')
    .description('compare the stage events of a day with the tables of the work itself')
    .option('--day <day>', 'the day, such as 2026-02-10; yesterday by default')
    .option('--replay', 'record the events that are missing')
    .option('--json', 'print the report as JSON')
    .action(async (options: { day?: string; replay?: boolean; json?: boolean }) =>
      (await import('./reconcile-stages.ts')).reconcileStages(options),
    )

  program
    .command('backfill')
    .description('record stage events for what happened before there were any')
    .option('--restart', 'begin again instead of going on where it stopped')
    .action(async (options: { restart?: boolean }) =>
      (await import('./backfill.ts')).backfill(options),
    )

  program
    .command('mirror')
    .description('the search mirror behind ELASTICSEARCH_URL')
    .command('rebuild')
    .description('send every item to it again')
    .action(async () => (await import('./mirror.ts')).rebuildMirror())

  program
    .command('config')
    .description('print the effective configuration, secrets masked')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) =>
      (await import('./config.ts')).printConfig(options),
    )

  program
    .command('login-link')
    .description('print a link that logs a user in once')
    .option('--email <email>', 'whose link; the first admin by default')
    .action(async (options: { email?: string }) =>
      (await import('./login-link.ts')).printLoginLink(options),
    )

  program
    .command('token')
    .description('print a bearer token for another service')
    .requiredOption('--name <name>', 'the service, as it appears in logs')
    .option('--role <role>', 'viewer, operator or admin', 'operator')
    .option('--hours <hours>', 'how long it is valid', '24')
    .action(async (options: { name: string; role: string; hours: string }) =>
      (await import('./token.ts')).printToken(options),
    )

  program
    .command('crawl')
    .description('crawl a site once, without a server; items as JSON lines')
    .argument('<url>', 'where to start')
    .option('--depth <n>', 'how many links deep', '2')
    .option('--max-pages <n>', 'how many pages at most', '200')
    .option('--output <file>', 'write the items here instead of to the terminal')
    .option('--quiet', 'no progress line')
    .action(async (url: string, options: CrawlOptions) =>
      (await import('./crawl.ts')).crawlOnce(url, options),
    )

  program
    .command('extract')
    .description('print what an address or a file yields, and how it was read')
    .argument('<url|file>', 'an http(s) address, or a page, feed or calendar file')
    .option('--json', 'as JSON')
    .option('--kind <kind>', 'what to expect: news or events')
    .option('--url <url>', 'the address a file came from')
    .action(async (target: string, options: { json?: boolean; kind?: string; url?: string }) =>
      (await import('./extract.ts')).extract(target, options),
    )

  program
    .command('export-warc')
    .description('write everything a run fetched into a WARC file')
    .argument('<run-id>', 'the run')
    .option('--output <file>', 'where to; <run-id>.warc.gz by default')
    .action(async (runId: string, options: { output?: string }) =>
      (await import('./export-warc.ts')).exportRun(runId, options),
    )

  const archive = program.command('archive').description('look after the archived page bodies')

  archive
    .command('check')
    .description('read every archived body; what is lost is fetched again')
    .option('--json', 'print the report as JSON')
    .action(async (options: { json?: boolean }) =>
      (await import('./archive-check.ts')).checkBodies(options),
    )

  archive
    .command('rebuild')
    .description('find bodies again whose place the database lost, by reading the packs')
    .option('--json', 'print the report as JSON')
    .action(async (options: { json?: boolean }) =>
      (await import('./archive-rebuild.ts')).rebuildIndex(options),
    )

  program
    .command('eval')
    .description('answer evaluation cases: one JSON case per line in, one JSON answer per line out')
    .argument('<set>', 'the evaluation set, such as dates or robots')
    .action(async (set: string) => (await import('./eval.ts')).runEval(set))

  await program.parseAsync(argv)
}

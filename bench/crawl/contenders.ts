import { packagePath } from '../../src/kernel/package-root.ts'
import { peersHere } from './peers.ts'

export interface Contender {
  name: string
  command: string
  args: string[]
  cwd: string
  env?: Record<string, string>
}

/** Everybody who can run here, doing the same: fetch every page, read title, links and JSON-LD. */
export function contenders(url: string, pages: number, only: readonly string[]): Contender[] {
  const wanted = (name: string): boolean => only.length === 0 || only.includes(name)
  const own: Contender[] = [
    {
      name: 'millrace',
      ...ours(url, pages),
      env: { ...quickEnv, CRAWLER_READABILITY_FALLBACK_ENABLED: 'false' },
    },
    { name: 'millrace-waterfall', ...ours(url, pages), env: quickEnv },
    {
      name: 'raw-loop',
      command: process.execPath,
      args: ['--import', 'tsx', packagePath('bench', 'crawl', 'raw-loop.ts'), url],
      cwd: packagePath(),
    },
  ]
  return [...own.filter(({ name }) => wanted(name)), ...peersHere(url, wanted)]
}

const quickEnv = {
  CRAWLER_ALLOW_PRIVATE_NETWORKS: 'true',
  CRAWLER_MIN_DELAY_MS: '0',
  FETCHER_CONCURRENCY: '64',
  CRAWLER_PARSE_THREADS: '2',
}

export function ours(start: string, pages: number): Pick<Contender, 'command' | 'args' | 'cwd'> {
  return {
    command: process.execPath,
    args: ['--import', 'tsx', packagePath('bench', 'crawl', 'ours.ts'), start, String(pages)],
    cwd: packagePath(),
  }
}

import type { Server } from 'node:http'
import { createDealer } from './generate/deal.ts'
import { seededRandom } from './generate/random.ts'
import { listen, stop } from './serve/listen.ts'
import { createLiveSite, type LiveSite } from './serve/live-site.ts'
import { createRequestLog, type RequestLog } from './serve/request-log.ts'
import { createSiteServer } from './serve/site-server.ts'
import { definitions } from './sites/index.ts'
import type { SiteContext, SiteDefinition, SourceDefaults, Truth } from './types.ts'

export type { LoggedRequest, RequestLog } from './serve/request-log.ts'
export type { SourceDefaults, Truth, TruthItem, TruthPage } from './types.ts'

export interface DemoWebOptions {
  seed?: number
  /** All dates are relative to this moment. */
  now?: Date
  /** The first of consecutive ports; 0 takes free ones. */
  basePort?: number
  host?: string
  /** Keys of the sites to serve; all when left out. */
  sites?: string[]
}

export interface DemoSite {
  key: string
  name: string
  url: string
  kind: SourceDefaults['kind']
  behaviour: SiteDefinition['behaviour']
  description: string
  sourceDefaults: SourceDefaults
  truth(): Truth
}

export interface DemoWeb {
  sites: DemoSite[]
  requests: RequestLog
  close(): Promise<void>
}

export const defaultBasePort = 8100

/** Starts a small web of realistic sites, each on its own port. Same seed and now, same bytes. */
export async function startDemoWeb(options: DemoWebOptions = {}): Promise<DemoWeb> {
  const { seed = 1, now = new Date(), basePort = 0, host = '127.0.0.1' } = options
  const chosen = chooseDefinitions(options.sites)
  const requests = createRequestLog()
  const live = new Map<string, LiveSite>()
  const servers: Server[] = []
  const origins = new Map<string, string>()
  try {
    for (const [index, definition] of definitions.entries()) {
      if (!chosen.has(definition.key)) continue
      const { key } = definition
      const server = createSiteServer(key, requests, () => found(live, key))
      servers.push(server)
      const port = await listen(server, basePort === 0 ? 0 : basePort + index, host)
      origins.set(key, `http://${host}:${port}`)
    }
    // Sites that are not served are made too: others carry copies of their items.
    const dealer = createDealer(seededRandom(`${seed}/ideas`))
    for (const { key, name, create } of definitions) {
      const context: SiteContext = {
        key,
        name,
        origin: origins.get(key) ?? `http://${key}.example`,
        seed,
        now,
        random: seededRandom(`${seed}/${key}`),
        deal: (category, language, count) => dealer.ideas(category, language, count),
        dealStories: (language, count) => dealer.stories(language, count),
        peer: (other) => ({
          name: found(names, other),
          origin: origins.get(other) ?? `http://${other}.example`,
          items: found(live, other).site.items,
        }),
      }
      live.set(key, createLiveSite(context, create(context)))
    }
  } catch (error) {
    await Promise.all(servers.map(stop))
    throw error
  }
  return {
    sites: describeSites(origins).map((site) => ({
      ...site,
      truth: () => found(live, site.key).truth(),
    })),
    requests,
    close: async () => {
      await Promise.all(servers.map(stop))
    },
  }
}

function chooseDefinitions(keys: string[] | undefined): Set<string> {
  if (keys === undefined) return new Set(names.keys())
  const unknown = keys.filter((key) => !names.has(key))
  if (unknown.length > 0) {
    throw new Error(`no demo site ${unknown.join(', ')}; there are ${[...names.keys()].join(', ')}`)
  }
  return new Set(keys)
}

/** The sites as they are registered, wherever they are served. */
export function describeSites(origins: ReadonlyMap<string, string>): Omit<DemoSite, 'truth'>[] {
  return definitions.flatMap((definition) => {
    const origin = origins.get(definition.key)
    return origin === undefined ? [] : [describe(definition, origin)]
  })
}

function describe(definition: SiteDefinition, origin: string): Omit<DemoSite, 'truth'> {
  const { key, name, kind, behaviour, description, source = {} } = definition
  const url = `${origin}/`
  return {
    key,
    name,
    url,
    kind,
    behaviour,
    description,
    sourceDefaults: {
      name,
      url,
      kind,
      priority: source.priority ?? 'normal',
      rate_limit: source.rate_limit ?? 20,
      max_depth: source.max_depth ?? 3,
      timezone: source.timezone ?? 'Europe/Amsterdam',
      locale: source.locale ?? 'nl',
      tags: source.tags ?? ['demo', behaviour],
    },
  }
}

function found<T>(map: ReadonlyMap<string, T>, key: string): T {
  const value = map.get(key)
  if (value === undefined) throw new Error(`no demo site ${key}`)
  return value
}

const names = new Map(definitions.map((definition) => [definition.key, definition.name]))

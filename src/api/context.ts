import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Caller, RoleName } from '../access/caller.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../db/pool.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Tokens } from '../access/tokens.ts'

export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

export interface DemoHost {
  state(): Promise<{
    loaded: boolean
    sites: { key: string; name: string; url: string; description: string }[]
  }>
  /** Starts the demo web and remembers it, so that it comes back with the next start. */
  load(): Promise<DemoSource[]>
}

export interface DemoSource {
  url: string
  fields: Record<string, unknown>
}

/** Everything a route may need; built once by the composition root. */
export interface ApiContext {
  sql: Sql
  config: Config
  clock: Clock
  log: Log
  metrics: Metrics
  tokens: Tokens
  instanceId: string
  startedAt: Date
  /** Aborted when the program stops: streams end by it. */
  stopping: AbortSignal
  embeddedDatabase: boolean
  /** The demo web of this installation, when this process can serve it. */
  demo: DemoHost
  /** host:port pairs that may be fetched although they are private: the demo web's. */
  allowedHosts: ReadonlySet<string>
  /** Names of the duties that one process at a time does. */
  singletonDuties: readonly string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Least role that may call the route; `public` needs no login. Unset means viewer. */
    role?: RoleName | 'public'
    /** An API key without operator rights may still call the route when it carries this scope. */
    scope?: string
  }
  interface FastifyRequest {
    caller: Caller | null
  }
}
